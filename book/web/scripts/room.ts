// Loads the script of a phone in the room, or of the lecturer, on pages that `make lecture` serves.

const { room, lecturer } = document.documentElement.dataset;
const isPhone = room && new URLSearchParams(location.search).has("room");
const name = isPhone ? "room_phone" : lecturer && "room_lecturer";
if (name) {
  const { src } = document.currentScript as HTMLScriptElement;
  const url = (file: string) => new URL(file, src).href;
  document.head.append(
    Object.assign(document.createElement("link"), { rel: "stylesheet", href: url("room.css") }),
    Object.assign(document.createElement("script"), { src: url(`${name}.js`) }),
  );
}

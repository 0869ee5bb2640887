// Loads the script of a phone in the room, or of the lecturer, on pages that `make lecture` serves.

const { room, lecturer } = document.documentElement.dataset;
const isPhone = room && new URLSearchParams(location.search).has("room");
const name = isPhone ? "room_phone" : lecturer && "room_lecturer";
if (name) {
  const { src } = document.currentScript as HTMLScriptElement;
  const url = (file: string) => new URL(file, src).href;
  // start.ts shows the message if one of them fails.
  const failed = document.documentElement.lang.startsWith("zh")
    ? "课堂问答未能加载，请刷新页面。"
    : "The room did not load. Reload the page.";
  const add = (element: HTMLElement) => {
    Object.assign(element.dataset, { part: "room", failed });
    document.head.append(element);
  };
  add(Object.assign(document.createElement("link"), { rel: "stylesheet", href: url("room.css") }));
  add(Object.assign(document.createElement("script"), { src: url(`${name}.js`) }));
}

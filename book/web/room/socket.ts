// Keeps a WebSocket to the room open: reconnects, and asks for the state when a device wakes up.

const PAUSES = [0.3, 1, 2, 4, 8]; // seconds before the first, second, … new try
const REFUSED = 30; // seconds after the room has refused the connection
const HEARTBEAT = 20; // seconds between two questions whether the other side is still there
const SILENCE = 5; // seconds before a connection without an answer is given up

export interface Link {
  /** Sends a message; returns false if there is no connection. */
  say(message: object): boolean;
}

/**
 * Connects to `events` below a place such as "/room/".
 *
 * @param hear receives each message
 * @param onLink receives whether there is a connection, at each change
 * @param onFailure is called if no connection was possible
 */
export function connect(
  place: string,
  hear: (message: any) => void,
  onLink: (up: boolean) => void,
  onFailure: () => void = () => {},
): Link {
  const url = new URL(`${place}events`, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  let socket: WebSocket;
  let failures = 0;
  let retry = 0;
  let silence = 0;

  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const say = (message: object) => {
    if (isOpen()) socket.send(JSON.stringify(message));
    return isOpen();
  };
  const greet = () => {
    if (!say({ type: "hello" })) return;
    clearTimeout(silence);
    silence = window.setTimeout(open, SILENCE * 1000);
  };
  const open = () => {
    clearTimeout(retry);
    clearTimeout(silence);
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
      onLink(false);
    }
    let opened = false;
    socket = new WebSocket(url);
    socket.onopen = () => {
      opened = true;
      failures = 0;
      onLink(true);
    };
    socket.onmessage = ({ data }) => {
      clearTimeout(silence);
      hear(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      clearTimeout(silence);
      onLink(false);
      if (!opened) onFailure();
      const pause = PAUSES[Math.min(failures++, PAUSES.length - 1)]!;
      const isRefused = code === 1008 || code === 1013;
      // Not all phones come back in the same moment.
      retry = window.setTimeout(open, 1000 * (isRefused ? REFUSED : pause) * (1 + Math.random()));
    };
  };
  const wake = () => {
    if (document.visibilityState === "hidden") return;
    if (isOpen()) greet();
    else if (socket.readyState !== WebSocket.CONNECTING) open();
  };
  open();
  setInterval(() => document.visibilityState === "visible" && greet(), HEARTBEAT * 1000);
  document.addEventListener("visibilitychange", wake);
  for (const event of ["online", "pageshow"]) addEventListener(event, wake);
  return { say };
}

"""List attacks by a page of another origin, in a browser that can run code of the book.

The page comes from another port of this machine, which is as close as an attacker gets: cookies do
not distinguish ports.
"""

# `book` is the URL of the server with kernels. Each attack returns what it learned, or null.
ATTACKS = {
    "read": "fetch(`${book}/api/kernels`, { credentials: 'include' }).then((r) => r.text())",
    "start": """fetch(`${book}/api/kernels`, { method: "POST", body: "{}", mode: "no-cors",
      credentials: "include" }).then((r) => r.status || null)""",
    "start as JSON": """fetch(`${book}/api/kernels`, { method: "POST", body: "{}",
      credentials: "include", headers: { "Content-Type": "application/json",
      "X-XSRFToken": "2|0|0|0" } }).then((r) => r.status)""",
    "stop": """fetch(`${book}/api/kernels/${kernel}`, { method: "DELETE",
      credentials: "include" }).then((r) => r.status)""",
    "talk": """new Promise((resolve, reject) => {
      const socket = new WebSocket(`${book.replace("http", "ws")}/api/kernels/${kernel}/channels`);
      socket.onopen = () => resolve("open");
      socket.onerror = () => reject(new Error("refused")); })""",
    "submit a form": """new Promise((resolve) => {
      document.body.innerHTML = `<iframe name="answer"></iframe><form method="post" target="answer"
        action="${book}/api/kernels"><input name="name" value="attention"></form>`;
      document.querySelector("iframe").onload = () => resolve(null);
      document.forms[0].submit(); })""",
    "show the book in a frame": """new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = () => resolve(null);
      frame.src = `${book}/`;
      document.body.append(frame); })""",
    "take it for a script": """import(`${book}/api/kernels`).then((it) => JSON.stringify(it))""",
    "keep hold of its window": """new Promise((resolve) => {
      const other = window.open(`${book}/`);
      setTimeout(() => resolve(other.closed ? null : "still there"), 1500); })""",
}
RUN_ATTACK = "async ([book, kernel]) => {{ try {{ return await {}; }} catch {{ return null; }} }}"

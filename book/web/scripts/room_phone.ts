// The page of a phone in the room; also on the server's own page, which has no other script.
import { guardStorages } from "../storage.ts";
import { beginPhone } from "../room/phone.tsx";

if (!document.querySelector("article")) guardStorages();
beginPhone(document.documentElement.dataset.room!);

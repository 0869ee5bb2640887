// The lecturer's side of a room, in lecture mode.
import { beginLecturer } from "../room/lecturer.tsx";

beginLecturer(document.documentElement.dataset.lecturer!);

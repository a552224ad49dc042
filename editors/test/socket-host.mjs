// Stands in for `idewire host --stdio`: the test at the other end of a socket is the host's side.
import { connect } from "node:net";

const socket = connect(process.env.IDEWIRE_TEST_SOCKET ?? "");
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on("close", () => process.exit(0));

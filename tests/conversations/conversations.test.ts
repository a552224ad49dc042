import { readConversations } from "../src/conversations/conversation.ts";
import { fixtures } from "../src/conversations/fixtures.ts";
import { play } from "../src/conversations/play.ts";
import { verifies } from "../src/verifies.ts";

for (const name of ["seed-000", "seed-001", "seed-002"]) {
  const { dialect, conversations } = readConversations(name);
  for (const conversation of conversations) {
    for (const transport of Object.keys(fixtures)) {
      verifies(conversation.proves, `${name} over ${transport}: ${conversation.name}`, () =>
        play(conversation, dialect, transport),
      );
    }
  }
}

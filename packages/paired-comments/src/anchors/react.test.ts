import { expect, test } from "vitest";
import { follow, lineOf } from "./testing/follow.ts";

const classComponent = `export class UserCard extends React.Component {
  state = { open: false };

  toggle = () => {
    this.setState({ open: !this.state.open });
  };

  render() {
    const { title } = this.props;
    return (
      <div className="card" onClick={this.toggle}>
        <h1 className="title">{title}</h1>
        {this.state.open && <Details user={this.props.user} />}
      </div>
    );
  }
}
`;

const functionComponent = `export const UserCard = ({ title, user }) => {
  const [open, setOpen] = useState(false);

  const toggle = () => {
    setOpen(!open);
  };

  return (
    <div className="card" onClick={toggle}>
      <h1 className="title">{title}</h1>
      {open && <Details user={user} />}
    </div>
  );
};
`;

test.each([
  ["export class UserCard", "export const UserCard"],
  ["toggle = () =>", "const toggle"],
  ["<h1", "<h1"],
])("a class component that becomes a function keeps a comment on %j", async (old, now) => {
  const line = lineOf(classComponent, old);
  const found = await follow("a.tsx", classComponent, functionComponent, { line });
  expect(found).toMatchObject({ line: lineOf(functionComponent, now) });
  expect(found.status).not.toBe("orphaned");
});

test("a comment on a bare return of a converted component is an orphan, offered the changed line", async () => {
  const line = lineOf(classComponent, "return (");
  const found = await follow("a.tsx", classComponent, functionComponent, { line });
  const candidates = [{ line: lineOf(functionComponent, "return (") }];
  expect(found).toMatchObject({ status: "orphaned", candidates });
});

test("a comment on a changed element of a converted component is a guess between equal lines", async () => {
  const line = lineOf(classComponent, "<div");
  const found = await follow("a.tsx", classComponent, functionComponent, { line });
  expect(found).toMatchObject({ line: lineOf(functionComponent, "<div"), status: "ambiguous" });
});

test.each([
  ["  load(user) {", "  async function load(user) {", "  }"],
  ["  load(user) {", "  const load = useCallback((user) => {", "  }, []);"],
  ["  load = (user) => {", "  function load(user) {", "  }"],
])("a handler %j of a class is found as %j of its function", async (old, now, end) => {
  const body = "    fetchRows(user.id);\n";
  const before = `class A extends React.Component {\n${old}\n${body}  }\n\n  render() {\n    return 1;\n  }\n}\n`;
  const after = `function A() {\n  const [rows, setRows] = useState();\n\n${now}\n${body}${end}\n\n  return 1;\n}\n`;
  const [line, inside] = [lineOf(before, "load"), lineOf(before, "fetchRows")];
  const found = await follow("a.jsx", before, after, { line });
  expect(found).toMatchObject({ line: lineOf(after, "load"), status: "edited" });
  const statement = await follow("a.jsx", before, after, { line: inside });
  expect(statement).toMatchObject({ line: lineOf(after, "fetchRows"), status: "moved" });
});

test("a statement whose content moved into another kind of statement stays an orphan", async () => {
  const source = "function run() {\n  if (ready(now)) {\n    start(all, 1, 2);\n  }\n  end();\n}\n";
  const after = source.replace("if (ready(now)) {", "for (const each of queue) {");
  const found = await follow("a.js", source, after.replace("end();", "end();\n  more();"), {
    line: 2,
  });
  expect(["orphaned", "ambiguous"]).toContain(found.status);
});

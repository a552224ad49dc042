"""Reads a JSON list of Python sources; writes for each its statements, and those of the same source as
`ast.unparse` prints it, as [line, endLine, kind, path, text]; null for what does not parse."""

import ast
import json
import sys


def statements(tree):
    found = []

    def visit(node, path):
        for name in ("body", "orelse", "finalbody", "handlers"):
            for child in getattr(node, name, None) or []:
                if not isinstance(child, (ast.stmt, ast.ExceptHandler)):
                    continue
                inner = path
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    inner = path + [child.name]
                if isinstance(child, ast.stmt) and not is_docstring(child):
                    text = ast.dump(child)
                    kind = type(child).__name__
                    found.append([child.lineno, child.end_lineno, kind, " > ".join(inner), text])
                visit(child, inner)

    visit(tree, [])
    return found


def is_docstring(node):
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def facts(source):
    try:
        tree = ast.parse(source)
        printed = ast.unparse(tree) + "\n"
        again = ast.parse(printed)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return {
        "facts": statements(tree),
        "printed": printed,
        "printedFacts": statements(again),
    }


json.dump([facts(source) for source in json.load(sys.stdin)], sys.stdout)

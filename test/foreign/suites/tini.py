"""Runs tini's test script, with each assert told as a case instead of ending the script when it fails."""
import ast
import os
import sys
import types

heading = ""


def tell(is_true, line):
    print("pass" if is_true else "fail", "%s: line %d" % (heading, line), flush=True)


def set_heading(text):
    global heading
    heading = text.replace(os.environ["BUILD_DIR"] + "/", "").replace(os.environ["SOURCE_DIR"] + "/", "")


class ToldAsserts(ast.NodeTransformer):
    def visit_Assert(self, node):
        call = ast.Call(ast.Name("tell", ast.Load()), [node.test, ast.Constant(node.lineno)], [])
        return ast.copy_location(ast.Expr(call), node)


class BitMap:
    """What the script wants of the module `bitmap`, which Debian does not have."""

    def __init__(self, digits):
        self.digits = digits

    @staticmethod
    def fromstring(digits):
        return BitMap(digits)

    def nonzero(self):
        return [place for place, digit in enumerate(reversed(self.digits)) if digit == "1"]


sys.modules["bitmap"] = types.ModuleType("bitmap")
sys.modules["bitmap"].BitMap = BitMap
script = sys.argv[1]
with open(script) as source:
    tree = ast.fix_missing_locations(ToldAsserts().visit(ast.parse(source.read(), script)))
exec(compile(tree, script, "exec"), {"__name__": "__main__", "tell": tell, "print": set_heading})

import swcVisitor from '@swc/core/Visitor.js';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

type Visitor = InstanceType<typeof swcVisitor.Visitor>;
type Declarators = Parameters<Visitor['visitVariableDeclarators']>[0];

/** The visitor that the cruiser reads files with stops at `using` declarations: it does not know them yet. */
function readUsingDeclarations(): void {
  const { prototype } = swcVisitor.Visitor;
  // It is called with the visitor it belongs to, below.
  // oxlint-disable-next-line typescript/unbound-method
  const { visitStatement } = prototype;
  prototype.visitStatement = function visit(this: Visitor, statement) {
    // swc's types do not list the kind either.
    const { type, decls } = statement as unknown as { readonly type: string; readonly decls: Declarators };
    if (type !== 'UsingDeclaration') return visitStatement.call(this, statement);
    this.visitVariableDeclarators(decls);
    return statement;
  };
}

readUsingDeclarations();

/**
 * Which room may import which: the arrows of the house. A room that is not a key here may import no other room.
 * `docs/principles.md` says why; `CONTRIBUTING.md` shows the map.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'packages/base': [],
  'packages/kubernetes': ['packages/base'],
  'packages/cloud-controllers': ['packages/base', 'packages/kubernetes'],
  'packages/cloudstack-client': ['packages/base'],
  'packages/cloudstack-provider': ['packages/base', 'packages/cloudstack-client', 'packages/cloud-controllers'],
  'packages/cloudstack-simulator': ['packages/base'],
  'packages/kubernetes-simulator': ['packages/base'],
  'apps/cloudstack-ccm': ['packages/'],
  'apps/demo': ['packages/', 'apps/cloudstack-ccm', 'test/control-plane'],
  'test/control-plane': ['packages/base'],
  'test/e2e': ['packages/', 'apps/', 'test/'],
  'test/node-histories': ['packages/'],
  bench: ['packages/', 'apps/', 'test/'],
};

/** Tests may stand on the two clouds and the control plane as well: they are what we have instead of mocks. */
const TESTS_MAY_ALSO_IMPORT = ['packages/cloudstack-simulator', 'packages/kubernetes-simulator', 'test/control-plane'];

const TEST = String.raw`(\.test\.ts$|/testing/|/contract/)`;

function arrows(room: string, targets: readonly string[]): IForbiddenRuleType[] {
  const rooms = '^(packages|apps|test|bench)/';
  const rule = (name: string, allowed: readonly string[], from: object): IForbiddenRuleType => ({
    name,
    severity: 'error',
    from: { path: `^${room}/`, ...from },
    to: { path: rooms, pathNot: [room, ...allowed].map((path) => `^${path}${path.endsWith('/') ? '' : '/'}`) },
  });
  return [
    rule(`${room} imports only what it may`, targets, { pathNot: TEST }),
    rule(`tests of ${room} import only what they may`, [...targets, ...TESTS_MAY_ALSO_IMPORT], {
      path: `^${room}/.*${TEST}`,
    }),
  ];
}

const forbidden: IForbiddenRuleType[] = [
  ...Object.entries(MAY_IMPORT).flatMap(([room, targets]) => arrows(room, targets)),
  { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'rooms are entered by the front door',
    severity: 'error',
    from: { path: '^(packages/[^/]+)/' },
    to: { path: '^packages/[^/]+/src/', pathNot: ['^$1/', '^packages/[^/]+/src/index\\.ts$'] },
  },
  { name: 'no unresolvable import', severity: 'error', from: {}, to: { couldNotResolve: true } },
];

const roots = ['packages', 'apps', 'test', 'bench'];
const { output } = await cruise(roots, {
  ruleSet: { forbidden },
  validate: true,
  parser: 'swc',
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '(^|/)(dist|go)/' },
  enhancedResolveOptions: {
    extensions: ['.ts', '.js', '.json'],
    exportsFields: ['exports'],
    conditionNames: ['node', 'import'],
  },
});
const { modules, summary } = output as ICruiseResult;
const own = modules.filter(({ source }) => source.endsWith('.ts'));
for (const { from, to, rule } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
if (own.length === 0) console.error('No module was cruised: the roots or the parser are wrong.');
console.log(`${own.length} modules, ${summary.violations.length} broken arrows`);
if (summary.error > 0 || own.length === 0) process.exitCode = 1;

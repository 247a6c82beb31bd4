import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../src/app.ts'
import { isForPrograms, type Operation } from '../src/core/operation.ts'
import { globalRoles, platformRoles, tournamentRoles } from '../src/core/roles.ts'
import { expectGenerated } from './generated.ts'
import { type Caller, type Harness, startHarness } from './harness.ts'
import { grantRole, platformMember } from './make.ts'
import { addressOf, makeWorld, type World } from './world.ts'

/**
 * Who is let through to what, as observed: every operation is called by everybody, without a body, and either refused
 * for the caller's role or not. docs/generated/permissions.md shows the outcome; a change of it shows in review.
 */

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

type Who = (world: World) => Promise<Caller | null> | Caller | null

const callers: Readonly<Record<string, Who>> = {
  anonymous: () => null,
  'signed in': () => api.user(),
  'team member': (world) => world.member,
  captain: (world) => world.captain,
  ...Object.fromEntries(
    tournamentRoles.map((role) => [
      role.replace('role:', ''),
      async (world: World) => {
        const holder = await api.user()
        await grantRole(api, world.tournament, holder, role)
        return holder
      },
    ]),
  ),
  organiser: (world) => world.organiser,
  ...Object.fromEntries(
    platformRoles.map((role) => [`platform ${role}`, (world: World) => platformMember(api, world.platform, role)]),
  ),
  ...Object.fromEntries(globalRoles.map((role) => [role, () => api.user({ globalRoles: [role] })])),
}

async function isLetThrough(operation: Operation, who: Who): Promise<boolean> {
  // A world of its own: being let through may change it.
  const world = await makeWorld(api)
  const reply = await api.call(operation.method, addressOf(operation, world), { as: await who(world) })
  const code = reply.headers.get('problem-code')
  expect(code, `${operation.name} failed`).not.toBe('service.failed')
  // A sheet that is not for the caller does not exist.
  return code !== 'role.missing' && code !== 'token.missing' && code !== 'sheet.unknown'
}

test('the committed permission matrix is what callers meet', async () => {
  // Cookie sessions carry no roles of their own: they yield tokens, which are what is tried here.
  const tried = operations.filter(({ scope }) => isForPrograms(scope))
  const rows: string[] = []
  for (const operation of tried) {
    const marks = await Promise.all(
      Object.values(callers).map(async (who) => ((await isLetThrough(operation, who)) ? '✓' : '')),
    )
    rows.push(`| ${operation.name} | ${operation.scope} | ${marks.join(' | ')} |`)
  }
  const head = ['operation', 'scope', ...Object.keys(callers)]
  const text = [
    '# Permissions',
    '',
    'Operations × callers, as observed by calling each as each on a public tournament with a team, and on a platform that',
    'is not the system platform: ✓ where the role let the caller through, whatever the body or the state then led to. What',
    'a body names (a role to grant, a captain) is checked beyond this. Generated; do not edit.',
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows,
    '',
  ].join('\n')
  expectGenerated('permissions.md', text)
}, 180_000)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../src/app.ts'
import { isForPrograms, type Operation } from '../src/core/operation.ts'
import { Problem } from '../src/core/problem.ts'
import { callerIn, kindsOfCaller } from './callers.ts'
import { expectDescribed } from './described.ts'
import { expectGenerated } from './generated.ts'
import { type Caller, type Harness, startHarness } from './harness.ts'
import { addressOf, makeOwn, makeWorld, type World } from './world.ts'

/**
 * Who is let through to what, as observed: every operation is called by everybody, without a body, and either refused
 * for the caller's role or not. docs/generated/permissions.md shows the outcome; a change of it shows in review.
 */

let api: Harness
let restore: () => void
beforeAll(async () => {
  api = await startHarness()
  scene = new Scene(await makeWorld(api, { registered: true }))
  restore = undoCommands()
})
afterAll(async () => {
  restore?.()
  await api[Symbol.asyncDispose]()
})

/** One that every command may come to, and none does here, where nobody is limited. */
const undone = new Problem('limited', 'request.limited', 'It was carried out, and undone.')

/**
 * Whoever is let through changes nothing, so that one world is enough: each command is carried out, and its transaction is undone as by
 * a refusal.
 * @returns what takes that back
 */
function undoCommands(): () => void {
  const commands = operations.filter(({ kind }) => kind === 'command') as { run: (input: never) => unknown }[]
  const runs = commands.map(({ run }) => run)
  for (const [index, command] of commands.entries()) {
    command.run = async (input) => {
      await runs[index]?.(input)
      throw undone
    }
  }
  return () => {
    for (const [index, command] of commands.entries()) command.run = runs[index] as (typeof runs)[number]
  }
}

/** A world, and who was needed in it so far, with what is their own. */
class Scene {
  readonly world: World
  readonly #people = new Map<string, Person>()

  constructor(world: World) {
    this.world = world
  }

  /** @param isAddressed whether the address names something of theirs */
  async person(kind: string, isAddressed: boolean): Promise<Person> {
    const known = this.#people.get(kind)
    if (known !== undefined && (known.own !== null || !isAddressed)) return known
    const caller = known?.caller ?? (await callerIn(api, this.world, kind))
    const own = caller !== null && isAddressed ? await makeOwn(api, caller) : null
    const person = { caller, own }
    this.#people.set(kind, person)
    return person
  }
}

interface Person {
  readonly caller: Caller | null
  readonly own: Awaited<ReturnType<typeof makeOwn>> | null
}

const namesOwn = /:(application|session|connection|streamKey|identity)\b/

let scene: Scene

/** What lets somebody in, whoever they are. */
const keys: Readonly<Record<string, (world: World) => string>> = {
  'calendar.own': ({ named }) => `?token=${named.calendarToken}`,
}

const refusals: ReadonlySet<string> = new Set(['role.missing', 'token.missing'])

/** A record that is not for the caller does not exist for them: they are not let through to it. */
async function isLetThrough(operation: Operation, name: string): Promise<boolean> {
  const { world } = scene
  const { caller, own } = await scene.person(name, namesOwn.test(operation.path))
  const key = keys[operation.name]?.(world) ?? ''
  const address = addressOf(operation, world, own ?? {}) + key
  const called = address.startsWith('//') ? address.slice(1) : `/api${address}`
  const reply = await fetch(`${api.url}${called}`, {
    method: operation.method,
    headers: caller === null ? {} : { authorization: `Bearer ${caller.token}` },
    redirect: 'manual',
  })
  await reply.arrayBuffer()
  const code = reply.headers.get('problem-code') ?? ''
  expect(code, `${operation.name} failed`).not.toBe('service.failed')
  expectDescribed(operation.method, called.split('?')[0] ?? '', reply.status, code || null)
  return !refusals.has(code) && !code.endsWith('.unknown')
}

test('the committed permission matrix is what callers meet', async () => {
  // Cookie sessions carry no roles of their own: they yield tokens, which are what is tried here.
  const tried = operations.filter(({ scope }) => isForPrograms(scope))
  const rows: string[] = []
  for (const operation of tried) {
    const marks: string[] = []
    for (const name of kindsOfCaller) marks.push((await isLetThrough(operation, name)) ? '✓' : '')
    // What exists for nobody is a gap in the world, which would make the row untrue.
    expect(marks, `nobody was let through to ${operation.name}, or not to what its address names`).toContain('✓')
    rows.push(`| ${operation.name} | ${operation.scope} | ${marks.join(' | ')} |`)
  }
  const head = ['operation', 'scope', ...kindsOfCaller]
  const text = [
    '# Permissions',
    '',
    'Operations × callers, as observed by calling each as each on a public tournament with a registered team, which has invited a',
    'user, and on a platform that is not the system platform: ✓ where the role let the caller through to the record, whatever the',
    'body or the state then led to. Applications, sign-ins and linked accounts are the caller’s own. What a body names (a',
    'role to grant, a captain) is checked beyond this. Generated; do not edit.',
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows,
    '',
  ].join('\n')
  expectGenerated('permissions.md', text)
})

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
 * Who may use which operation, as observed: every operation is called by every kind of caller without a body, and is
 * either refused for the caller's role or not. The result is docs/generated/permissions.md, so that every change of it
 * is reviewed.
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

/** A problem that every command may have, and that no command has here, where limits are off. */
const undone = new Problem('limited', 'request.limited', 'It was carried out, and undone.')

/**
 * Makes every command run and then roll back its transaction, like a refused command, so that one world is enough.
 * @returns a function that restores the commands
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

/** A world with the callers that were needed in it so far, and their own records. */
class Scene {
  readonly world: World
  readonly #people = new Map<string, Person>()

  constructor(world: World) {
    this.world = world
  }

  /** @param isAddressed whether the address names a record of their own */
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

const namesOwn = /:(application|session|connection|streamKey|identity|awaitedPlaceholder)\b/

let scene: Scene

/** Parameters that grant access to any caller. */
const keys: Readonly<Record<string, (world: World) => string>> = {
  'calendar.own': ({ named }) => `?token=${named.calendarToken}`,
}

const refusals: ReadonlySet<string> = new Set(['role.missing', 'token.missing'])

/** A record that is hidden from the caller does not exist for them, so they may not use it. */
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
  // Cookie sessions have no roles of their own: they yield tokens, which are tested here.
  const tried = operations.filter(({ scope }) => isForPrograms(scope))
  const rows: string[] = []
  for (const operation of tried) {
    const marks: string[] = []
    for (const name of kindsOfCaller) marks.push((await isLetThrough(operation, name)) ? '✓' : '')
    // A record that exists for no caller is missing in the world, and would make the row wrong.
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

import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, expectTypeOf, test } from 'vitest'
import type { Client, CommandResult, Topic } from './connect.ts'
import type { Commands, Match } from './generated.ts'
import type { BodyIn, BodyOf, InputOf } from './types.ts'

interface Bodies {
  readonly '/things': 'things'
  readonly '/things/{thing}': 'thing'
  readonly '/things/{thing}/parts': 'parts'
  readonly '/users/@me/things': 'mine'
}

declare const guid: string

test('the name of a topic tells the type of its body', () => {
  expectTypeOf<BodyIn<Bodies, '/things'>>().toEqualTypeOf<'things'>()
  expectTypeOf<BodyIn<Bodies, '/things?status=live'>>().toEqualTypeOf<'things'>()
  expectTypeOf<BodyIn<Bodies, '/things/a'>>().toEqualTypeOf<'thing'>()
  expectTypeOf<BodyIn<Bodies, `/things/${string}`>>().toEqualTypeOf<'thing'>()
  expectTypeOf<BodyIn<Bodies, `/things/${string}?division=${string}`>>().toEqualTypeOf<'thing'>()
  expectTypeOf<BodyIn<Bodies, `/things/${string}/parts`>>().toEqualTypeOf<'parts'>()
  expectTypeOf<BodyIn<Bodies, '/users/@me/things'>>().toEqualTypeOf<'mine'>()
  expectTypeOf<BodyIn<Bodies, '/users/me/things'>>().toBeUnknown()
  expectTypeOf<BodyIn<Bodies, '/thing/a'>>().toBeUnknown()
  expectTypeOf<BodyIn<Bodies, string>>().toBeUnknown()
  expectTypeOf<BodyOf<'/tournaments/cup/matches/12?division=main'>>().toEqualTypeOf<Match>()
  const use = (client: Client) => client.topic(`/tournaments/${guid}/matches/${guid}`)
  expectTypeOf(use).returns.toEqualTypeOf<Topic<Match>>()
})

test('the name of a command tells what it takes and answers', () => {
  const use = (client: Client) => {
    const params = { tournament: guid, match: guid }
    // @ts-expect-error: its address needs the match, too.
    client.command('matches.start', { params: { tournament: guid } })
    // @ts-expect-error: there is no such command.
    client.command('matches.explode', { params })
    // @ts-expect-error: it needs a body.
    client.command('notifications.read', {})
    client.command('notifications.read', { body: { all: true } })
    return client.command('matches.start', { params }, { key: 'k' })
  }
  expectTypeOf(use).returns.resolves.toEqualTypeOf<CommandResult<Match>>()
  type Input = InputOf<{ params: Record<never, never>; query: { a?: string }; body: undefined }>
  expectTypeOf<Record<never, never>>().toExtend<Input>()
  expectTypeOf<Commands['matches.start']['body']>().toBeUndefined()
})

/** The errors that the compiler reports for files, with the types of a browser alone. */
function compile(files: readonly string[]): string {
  const environment = ['--lib', 'es2024,dom,dom.iterable', '--types', '', '--target', 'es2024', '--module', 'nodenext']
  const checks = [
    '--strict',
    '--noEmit',
    '--allowImportingTsExtensions',
    '--erasableSyntaxOnly',
    '--ignoreConfig',
    '--skipLibCheck',
  ]
  const tsc = path.join(import.meta.dirname, '../node_modules/.bin/tsc')
  return spawnSync(tsc, [...environment, ...checks, ...files], { encoding: 'utf8' }).stdout
}

test('its types are complete, and so are the examples of its README', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'downbeat-client-'))
  try {
    const entry = path.join(import.meta.dirname, 'connect.ts')
    const yjs = path.join(import.meta.dirname, '../node_modules/yjs/dist/src/index.js')
    const readme = await readFile(path.join(import.meta.dirname, 'README.md'), 'utf8')
    const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(async ([, code = ''], index) => {
      const file = path.join(folder, `${index}.mts`)
      await writeFile(file, code.replace("'downbeat-client'", `'${entry}'`).replace("'yjs'", `'${yjs}'`))
      return file
    })
    expect(examples.length).toBe(5)
    expect(compile([entry, ...(await Promise.all(examples))])).toBe('')
  } finally {
    await rm(folder, { recursive: true })
  }
})

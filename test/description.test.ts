import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createConfig, lint } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { api, parts } from '../src/app.ts'
import { describeApi } from '../src/infra/http/openapi.ts'
import { expectDescribed } from './described.ts'
import { expectGenerated, rulesIn } from './generated.ts'

test('the committed description is the one that the service publishes', () => {
  expectGenerated('openapi.json', `${JSON.stringify(describeApi(api), null, 2)}\n`)
})

test('a public linter finds neither errors nor warnings in it', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lint({ ref: path.join(import.meta.dirname, '../docs/generated/openapi.json'), config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

/** A sentence that says more than the name of what it stands beside, which a reader knows already. */
function isOfHelp(name: string, text: unknown): boolean {
  if (typeof text !== 'string' || !/^[\p{Lu}`].*[.)]$/su.test(text)) return false
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const ofName = name.toLowerCase().replace(/[^a-z]/g, '')
  return (
    words.filter((word) => !ofName.includes(word) && !['the', 'a', 'an', 'of', 'operations', 'on'].includes(word))
      .length > 1
  )
}

test('every operation, parameter and tag is described by sentences that help', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of many forms, of which the texts alone are looked at.
  const { paths, tags } = describeApi(api) as any
  const texts: [string, string, unknown][] = tags.map((tag: { name: string; description?: string }) => [
    `tag ${tag.name}`,
    tag.name,
    tag.description,
  ])
  expect(tags.map(({ name }: { name: string }) => name).sort()).toEqual(
    [...new Set(api.operations.map(({ name }) => name.split('.')[0]))].sort(),
  )
  for (const methods of Object.values<Record<string, Described>>(paths)) {
    for (const { operationId, summary, description, parameters = [] } of Object.values(methods)) {
      if (operationId === undefined) continue
      texts.push([operationId, operationId, summary], [`${operationId} at length`, operationId, description])
      for (const { name, description: told } of parameters) texts.push([`${operationId} ${name}`, name, told])
    }
  }
  expect(texts.filter(([, name, text]) => !isOfHelp(name, text)).map(([where, , text]) => [where, text])).toEqual([])
  expect(texts.length).toBeGreaterThan(600)
})

interface Described {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[]
}

test('what is usual is told where it is not given', () => {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const { paths } = describeApi(api) as any
  const limits = Object.entries<Record<string, Described>>(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters = [] }) =>
      parameters.filter(({ name }) => name === 'limit').map((limit) => [path, limit] as const),
    ),
  )
  for (const [path, limit] of limits) {
    const [maximum, usual] = path.endsWith('/updates') ? [50, 25] : path.endsWith('/log') ? [500, 200] : [100, 25]
    expect(limit, path).toMatchObject({ required: false, schema: { minimum: 1, maximum, default: usual } })
  }
  expect(limits.length).toBeGreaterThan(10)
})

test('what a token is needed for, and what a change leaves as it is, is told in words', () => {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const { paths, components } = describeApi(api) as any
  const card = paths['/users/{user}/card'].get
  expect(card.security).toContainEqual({})
  expect(card.description).toMatch(/`@me` needs a token.* 401/)
  expect(card.responses[401].description).toBe('`token.missing`')
  const put = paths['/tournaments/{tournament}/qualifier'].put
  expect(put.description).toMatch(/members of `settings` are merged/)
  const { settings } = components.schemas.QualifierInput.properties
  expect([settings.description, settings.required]).toEqual([expect.stringMatching(/left out stays/), undefined])
})

test.each<[string, string, number, string | null, boolean]>([
  ['GET', '/api/tournaments/spring-cup', 200, null, true],
  ['HEAD', '/api/tournaments/spring-cup', 404, 'tournament.unknown', true],
  ['GET', '/api/users/%40me/sessions', 401, 'token.missing', true],
  ['GET', '/.well-known/jwks.json', 304, null, true],
  ['GET', '/device', 400, 'device_code.unknown', true],
  // Of any request, and of addresses where there is nothing.
  ['POST', '/api/tournaments', 400, 'request.malformed', true],
  ['GET', '/api/nothing', 404, 'route.unknown', true],
  // A status, and a code, that it does not tell of.
  ['GET', '/api/tournaments/spring-cup', 201, null, false],
  ['GET', '/api/tournaments/spring-cup', 404, 'team.unknown', false],
  ['GET', '/api/tournaments/spring-cup', 403, 'role.missing', false],
  ['GET', '/api/tournaments/spring-cup', 404, null, false],
  ['GET', '/.well-known/jwks.json', 404, 'key.unknown', false],
])('of %s %s the answer %i %s is told: %s', (method, address, status, code, isTold) => {
  const check = () => expectDescribed(method, address, status, code)
  if (isTold) expect(check).not.toThrow()
  else expect(check).toThrow('which its description lacks')
})

/** Rules and policies with the sentence that states each, read from the sources. */
test('the committed index of rules is that of the sources', () => {
  const root = path.join(import.meta.dirname, '../src')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /(^|\/)(rules|policy|checks)(\.ts$|\/[\w-]+\.ts$)/.test(file) && !file.endsWith('.test.ts'))
    .sort()
  const sections = files.map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    const rows = rulesIn(text).map(({ name, words }) => `| \`${name}\` | ${words} |`)
    return `## ${file}\n\n| rule | in words |\n|---|---|\n${rows.join('\n')}\n`
  })
  expectGenerated(
    'rules.md',
    `# Rules\n\nEvery rule stands in one function, with its source. Generated; do not edit.\n\n${sections.join('\n')}`,
  )
  expect(sections.length).toBeGreaterThan(5)
})

const eventsIntroduction =
  'What the event log tells, by slice. Everybody who may see what an event happened to may be told that a public member has changed; the rest is for staff alone. Generated; do not edit.'

/** What is emitted, from the tables of the slices. */
test('the committed index of events is that of the sources', () => {
  const sections = parts.flatMap(({ name, events }) => {
    if (events === undefined) return []
    const rows = Object.entries(events).map(([type, { subject, isPublic, members = {} }]) => {
      const named = (audience: string) =>
        Object.keys(members)
          .filter((member) => members[member] === audience)
          .map((member) => `\`${member}\``)
          .join(' ')
      return `| \`${type}\` | ${subject ?? '–'} | ${named('public') || (isPublic ? 'itself' : '–')} | ${named('private') || '–'} |`
    })
    return [`## ${name}\n\n| event | happens to | public | private |\n|---|---|---|---|\n${rows.join('\n')}\n`]
  })
  expectGenerated('events.md', `# Events\n\n${eventsIntroduction}\n\n${sections.join('\n')}`)
})

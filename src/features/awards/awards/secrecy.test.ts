import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Left, leaveToProcesses } from '../../../../test/assistant-process.ts'
import { type MadeEdition, makeVotedEdition } from '../../../../test/award-votes.ts'
import { type Caller, freePort, startHarness } from '../../../../test/harness.ts'
import { type Service, startService } from '../../../../test/kernel/service.ts'

/**
 * Nobody learns who leads before the results, and nobody ever learns another user's choice. The same actions are done
 * twice, with opposite choices; everything that the service outputs must be identical to the byte. (A4, A5; awards: How
 * it is tested, 3)
 */

interface Run {
  /** The answers by step, caller and path. */
  readonly answers: ReadonlyMap<string, string>
  readonly events: readonly string[]
  readonly log: readonly string[]
  readonly metrics: readonly string[]
  /** Tables in which one row contains both a voter and a nominee, by the time of the check. */
  readonly pairs: Readonly<Record<string, readonly string[]>>
  /** All stored notifications of voters. */
  readonly messages: readonly string[]
  readonly results: unknown
}

/** Each voter's choice in each category. No nominee is tied, in either direction. */
const choices = [
  [0, 0],
  [0, 1],
  [0, 1],
  [1, 1],
  [0, 1],
  [1, 0],
  [0, 1],
] as const

const names = ['voter', 'stranger', 'manager', 'owner', 'developer'] as const
type Callers = Readonly<Record<(typeof names)[number], Caller>>

const nomineeGuid = (category: number, index: number) => `00000000-0000-4000-8000-0000000000${category}${index}`

let straight: Run
let opposite: Run

beforeAll(async () => {
  straight = await play((index) => index)
  opposite = await play((index) => 1 - index)
}, 600_000)

async function play(turn: (choice: number) => number): Promise<Run> {
  await using harness = await startHarness()
  const voters: Caller[] = []
  for (const index of choices.keys()) voters.push(await harness.user({ name: `voter${index}` }))
  const [first] = voters as [Caller]
  const callers: Callers = {
    voter: first,
    stranger: await harness.user({ name: 'stranger' }),
    manager: await harness.user({ name: 'manager', globalRoles: ['global:badges:manage'] }),
    owner: await harness.user({ name: 'owner', globalRoles: ['role:owner'] }),
    developer: await harness.user({ name: 'developer', globalRoles: ['role:dev'] }),
  }
  const edition = await makeVotedEdition(harness, {
    categories: [1, 2].map((category) => ({
      name: `Category ${category}`,
      nominees: [0, 1, 2].map((index) => ({
        guid: nomineeGuid(category, index),
        label: `Nominee ${category}${index}`,
      })),
    })),
  })
  // The edition gets the same name in both runs.
  await harness.sql(`update award_editions set id = 'secret', title = 'Awards' where guid = $1`, [edition.guid])
  // The default address contains the user's number, which may have one more digit in the second run.
  await harness.sql(`update users set avatar_url = 'https://cdn.example.org/avatar.png'`)
  await using left = await leaveToProcesses(harness)
  await using service = await startService({ ...left.env, LOG_LEVEL: 'trace', SOCKET_PORT: String(await freePort()) })
  const playing = new Playing({ service, left, edition, voters, callers })
  // Awaited here, because leaving this function ends the service and its database.
  return await playing.run(turn)
}

interface World {
  readonly service: Service
  readonly left: Left
  readonly edition: MadeEdition
  readonly voters: readonly Caller[]
  readonly callers: Callers
}

class Playing {
  readonly #world: World
  readonly #answers = new Map<string, string>()
  #count = 1000

  constructor(world: World) {
    this.#world = world
  }

  async #ask(method: string, path: string, as: Caller | null, body?: object) {
    const { url } = this.#world.service
    const reply = await fetch(`${url}${path.startsWith('//') ? path.slice(1) : `/api${path}`}`, {
      method,
      headers: {
        // Compression depends on the GUIDs, which differ between the runs.
        'accept-encoding': 'identity',
        ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        // The key must not make the service store an answer to a vote.
        ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { reply, text: await reply.text() }
  }

  /** Makes a request and records the answer, in a form without ids and times. */
  async #tell(name: string, method: string, path: string, as: Caller | null, body?: object): Promise<number> {
    this.#count += 1
    const key = `${this.#count} ${name} ${method} ${this.#plain(path)}`
    const { reply, text } = await this.#ask(method, path, as, body)
    const isOwn = /\/vote$|\/votes\/@me$|export$/.test(path)
    const headers = [...reply.headers]
      .filter(([header]) => !['date', 'request-id', 'etag', 'server-timing'].includes(header))
      .map((header) => this.#plain(header.join(': ')))
    const face = [reply.status, headers.sort(), (reply.headers.get('etag') ?? '').length, text.length]
    const shown = sorted(this.#plain(text))
    // A voter's own answers contain the choice, so nominees are removed from them.
    this.#answers.set(key, JSON.stringify([...face, isOwn ? withoutNominees(shown) : shown]))
    return reply.status
  }

  #plain(text: string): string {
    const { edition, voters, callers } = this.#world
    const known: readonly (readonly [string, string])[] = [
      ...voters.map(({ guid }, index) => [guid, `<voter ${index}>`] as const),
      ...names.slice(1).map((name) => [callers[name].guid, `<${name}>`] as const),
      [edition.guid, '<edition>'],
      ...edition.categories.map(({ guid }, index) => [guid, `<category ${index}>`] as const),
    ]
    return known
      .reduce((all, [guid, name]) => all.replaceAll(guid, name), text)
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, '<time>')
      .replace(/(?!00000000-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<guid>')
      .replace(/\b\d{17,19}\b/g, '<chat>')
  }

  async #look(step: string): Promise<void> {
    const { edition, callers, voters } = this.#world
    const { path, admin, categories } = edition
    const addresses = [
      ...['/awards', path, '/awards/secret', `${path}/eligibility`, `${path}/votes/@me`, `${path}/results`],
      ...categories.flatMap(({ guid }) => [`${path}/categories/${guid}`, `${path}/categories/${guid}/nominations`]),
      ...[`${path}/results.csv`, `${path}/ballots.csv`, `${path}/ballots.csv?round=2`, `${path}/nominees.csv`],
      ...[`${admin}/turnout`, `${admin}/roll.csv`, `${admin}/exclusions`, '/users/@me/notifications'],
      ...['/users/@me/export', `/users/${voters[1]?.guid}`, `/users/${voters[1]?.guid}/badges`],
    ]
    for (const [name, caller] of [...Object.entries(callers), ['nobody', null] as const]) {
      await Promise.all(addresses.map((address) => this.#tell(`${step} ${name}`, 'GET', address, caller)))
    }
  }

  async #pairs(): Promise<string[]> {
    const { left, voters } = this.#world
    const forms = (guids: readonly string[]) =>
      guids.flatMap((guid) => [guid, guid.replaceAll('-', ''), Buffer.from(guid).toString('hex')])
    const users = forms(voters.map(({ guid }) => guid))
    const nominees = forms([1, 2].flatMap((category) => [0, 1, 2].map((index) => nomineeGuid(category, index))))
    const found: string[] = []
    const tables = await left.sql<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
    )
    for (const { name } of tables) {
      const holds = (parameter: string) =>
        `exists (select from unnest(${parameter}::text[]) s where strpos(t::text, s) > 0)`
      const rows = await left.sql(`select from ${name} t where ${holds('$1')} and ${holds('$2')} limit 1`, [
        users,
        nominees,
      ])
      if (rows.length > 0) found.push(name)
    }
    return found
  }

  async run(turn: (choice: number) => number): Promise<Run> {
    const { service, left, edition, voters, callers } = this.#world
    const { path, admin, categories } = edition
    const { manager } = callers
    const pairs: Record<string, readonly string[]> = {}
    const voteIn = (category: number) => `${path}/categories/${categories[category]?.guid}/vote`
    const put = (voter: Caller, category: number, choice: number) =>
      this.#tell('vote', 'PUT', voteIn(category), voter, { nomineeGuid: nomineeGuid(category + 1, choice) })
    await this.#look('before')
    for (const [index, [one, other]] of choices.entries()) {
      const voter = voters[index] as Caller
      expect(await put(voter, 0, turn(one))).toBe(200)
      expect(await put(voter, 1, turn(other))).toBe(200)
      if (index === 2) await this.#look('in between')
    }
    const [first, second, third] = voters as [Caller, Caller, Caller]
    // Votes are changed and changed back, taken back and cast again, refused and failed.
    expect(await put(first, 0, turn(1))).toBe(200)
    expect(await put(first, 0, turn(0))).toBe(200)
    expect(await this.#tell('back', 'DELETE', voteIn(1), second)).toBe(204)
    expect(await put(second, 1, turn(1))).toBe(200)
    const foreign = { nomineeGuid: nomineeGuid(2, turn(0)) }
    expect(await this.#tell('wrong', 'PUT', voteIn(0), third, foreign)).toBe(404)
    await left.sql('alter table award_votes rename to gone')
    expect(await put(third, 0, turn(0))).toBe(500)
    await left.sql('alter table gone rename to award_votes')
    await this.#look('voted')
    pairs.voted = await this.#pairs()
    const status = (to: string) => this.#tell('status', 'POST', `${path}/status`, manager, { status: to })
    expect(await status('counting')).toBe(200)
    expect(await put(third, 0, turn(1))).toBe(409)
    await this.#look('counting')
    const exclusion = { user: voters[6]?.guid, reason: 'One of many.' }
    expect(await this.#tell('exclude', 'POST', `${admin}/exclusions`, manager, exclusion)).toBe(201)
    expect(await this.#tell('recount', 'POST', `${path}/recount`, manager, {})).toBe(200)
    const answer = { message: 'I am one of one.' }
    expect(await this.#tell('answer', 'POST', `${path}/exclusion/answer`, voters[6] as Caller, answer)).toBe(200)
    await this.#look('excluded')
    pairs.counting = await this.#pairs()
    const { text } = await this.#ask('GET', '//metrics', null)
    const metrics = text
      .split('\n')
      .filter((line) => /(_total|_count)\{.*awards\./.test(line))
      .map((line) => this.#plain(line))
      .sort()
    const events = await this.#events()
    const messages = await left.sql<{ message: string }>(
      'select n::text as message from notifications n where user_guid = any($1)',
      [voters.map(({ guid }) => guid)],
    )
    // From here on there are results, which differ between the runs.
    expect((await this.#ask('POST', `${path}/status`, manager, { status: 'published' })).reply.status).toBe(200)
    const results = JSON.parse((await this.#ask('GET', `${path}/results`, null)).text)
    pairs.published = await this.#pairs()
    await left.sql('delete from award_votes')
    pairs.deleted = await this.#pairs()
    await left.sql('begin')
    await left.sql(`update award_roll set user_guid = user_guid`)
    await left.sql(`insert into event_log (seq, type, touches) values (-1, 'test.planted', array[$1, $2])`, [
      ...[first.guid, nomineeGuid(1, 0)],
    ])
    pairs.planted = await this.#pairs()
    await left.sql('rollback')
    service.signal('SIGTERM')
    const { stdout } = await service.exit
    return {
      answers: this.#answers,
      events,
      metrics,
      pairs,
      results,
      messages: messages.map(({ message }) => message),
      log: this.#log(stdout),
    }
  }

  async #events(): Promise<string[]> {
    const rows = await this.#world.left.sql<{ line: string }>(
      `select jsonb_build_array(type, subject, actor, before, after, touches)::text as line from event_log
       where type like 'award.%' order by seq`,
    )
    return rows.map(({ line }) => this.#plain(line))
  }

  /** The log lines of requests and failures, without time, duration and id. */
  #log(stdout: string): string[] {
    const lines = stdout.split('\n').filter((line) => line.startsWith('{') && line.includes('awards.'))
    return lines
      .map((line) => {
        const { time: _time, ms: _ms, requestId: _id, ...rest } = JSON.parse(line) as Record<string, unknown>
        return this.#plain(JSON.stringify(rest))
      })
      .sort()
  }
}

/** Sorts nominees, because each reader gets an order that depends on the reader's GUID. */
function sorted(text: string): string {
  if (!text.startsWith('{') && !text.startsWith('[')) return text.split('\r\n').sort().join('\r\n')
  const keyOf = (value: unknown) => JSON.stringify(value)
  const order = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(order).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, order(member)]))
  }
  return JSON.stringify(order(JSON.parse(text)))
}

function withoutNominees(text: string): string {
  return text.replace(/00000000-0000-4000-8000-\d{12}/g, '<chosen>')
}

const differing = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
  [...one].flatMap(([key, face]) => (other.get(key) === face ? [] : [[key, face, other.get(key)]]))

describe('with opposite choices', () => {
  test('the results are opposite: there was something to keep secret', () => {
    const winners = ({ results }: Run) =>
      (results as { categories: { nominees: { label: string; result: { winner: boolean } }[] }[] }).categories.map(
        ({ nominees }) => nominees.filter(({ result }) => result.winner).map(({ label }) => label),
      )
    expect(winners(straight)).toEqual([['Nominee 10'], ['Nominee 21']])
    expect(winners(opposite)).toEqual([['Nominee 11'], ['Nominee 20']])
  })

  test('every answer before publication is the same, to everybody', () => {
    expect(straight.answers.size).toBeGreaterThan(500)
    expect([...opposite.answers.keys()].sort()).toEqual([...straight.answers.keys()].sort())
    expect(differing(straight.answers, opposite.answers)).toEqual([])
  })

  test('so are events, of which there is one for each voter', () => {
    expect(opposite.events).toEqual(straight.events)
    expect(straight.events.filter((line) => line.includes('award.voted'))).toHaveLength(choices.length)
    expect(straight.events.join()).not.toContain('00000000-0000-4000-8000')
  })

  test('so are logs, and no nominee stands in them', () => {
    expect(opposite.log).toEqual(straight.log)
    expect(straight.log.filter((line) => line.includes('awards.vote'))).not.toEqual([])
    expect(straight.log.join()).not.toContain('00000000-0000-4000-8000')
  })

  test('so are metrics', () => {
    expect(opposite.metrics).toEqual(straight.metrics)
    expect(straight.metrics.join()).toContain('awards.vote')
  })
})

test('no row outside of the votes joins a voter and a nominee, before and after these are deleted', () => {
  for (const { pairs } of [straight, opposite]) {
    expect(pairs).toEqual({
      voted: ['public.award_votes'],
      counting: ['public.award_votes'],
      published: ['public.award_votes'],
      deleted: [],
      planted: ['public.event_log'],
    })
  }
})

test('what voters are told of themselves names no nominee', () => {
  for (const { messages } of [straight, opposite]) {
    expect(messages).toHaveLength(1)
    expect(messages.join()).not.toContain('00000000-0000-4000-8000')
  }
})

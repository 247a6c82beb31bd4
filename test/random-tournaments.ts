import fc from 'fast-check'
import type { SceneDocument } from '../src/engine/scenes/document.ts'
import { type BracketBody, type BracketOptions, type MadeBracket, makeBracket } from './bracket-play.ts'
import type { Caller, Harness, Reply } from './harness.ts'
import { makeTeam, makeTournament, roleHolder } from './make.ts'
import { makeMaps, makePool } from './pools.ts'
import { documents } from './scene-documents.ts'

/**
 * Tournaments of random shapes, to whose state only operations of the API lead: what a deed asks for may be refused, as
 * it may be to people, and then the next deed follows.
 */

export interface Shape {
  readonly bracket: Pick<BracketOptions, 'teams' | 'format' | 'settings'>
  /** Texts as people type them, empty ones and letters of all scripts among them. */
  readonly words: readonly string[]
  readonly document: SceneDocument
  /** What is drawn by: taken one after the other, and from the start again. */
  readonly rolls: readonly number[]
}

const settings: Readonly<Record<BracketOptions['format'], fc.Arbitrary<object>>> = {
  single_elimination: fc.record({ bestOf: fc.constantFrom(1, 3, 5), thirdPlace: fc.boolean() }),
  double_elimination: fc.record({
    bestOf: fc.constantFrom(1, 3),
    grandFinal: fc.constantFrom('single', 'reset'),
    bestOfByRound: fc.constantFrom({}, { 'upper:2': 5 }),
  }),
  round_robin: fc.record({
    bestOf: fc.constantFrom(1, 3),
    allowDraws: fc.boolean(),
    groups: fc.integer({ min: 1, max: 2 }),
    legs: fc.integer({ min: 1, max: 2 }),
    points: fc.record({ win: fc.constantFrom(2, 3), draw: fc.constant(1), loss: fc.constantFrom(0, 1) }),
  }),
  swiss: fc.record({ rounds: fc.integer({ min: 2, max: 4 }), byePoints: fc.constantFrom(0, 1, 3) }),
}

/** @param format the same for all shapes, so that a few of them have every format */
export function shapesOf(format: BracketOptions['format']): fc.Arbitrary<Shape> {
  return fc.record({
    bracket: fc.record({
      teams: fc.integer({ min: 4, max: 9 }),
      format: fc.constant(format),
      settings: settings[format],
    }),
    words: fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 20, maxLength: 20 }),
    document: documents,
    rolls: fc.array(fc.nat({ max: 1_000_000 }), { minLength: 400, maxLength: 400, size: 'max' }),
  })
}

export interface RandomTournament extends MadeBracket {
  /** How often each deed was done, of those that were not refused. */
  readonly done: ReadonlyMap<string, number>
  /** Why deeds were refused the last time. */
  readonly refused: ReadonlyMap<string, string>
  /** Does a deed once more. */
  readonly again: (deed: string) => Promise<void>
}

export async function makeRandom(api: Harness, shape: Shape): Promise<RandomTournament> {
  const made = await makeBracket(api, {
    ...shape.bracket,
    tournament: { teamSize: { min: 1, max: 4, active: 1 } },
  })
  const play = new Play(api, made, shape, await roleHolder(api, made.cup, 'role:referee'))
  // Everybody may use a map that a published pool has.
  const maps = (await makeMaps(api, 12)).map(({ guid }) => guid)
  await makePool(api, (await makeTournament(api, made.organiser)).guid, { status: 'published', maps })
  play.kept.set('map', maps)
  const ofSessions = await makePool(api, made.cup.guid, { status: 'published', maps })
  play.kept.set('pool of sessions', [ofSessions.guid])
  const done = new Map<string, number>()
  const refused = new Map<string, string>()
  const again = async (name: string, deed = deeds[name]) => {
    const reply = (await deed?.(play)) ?? null
    if (reply !== null && reply.status >= 500) throw new Error(`${name}: ${reply.text}`)
    if (reply !== null && reply.status < 300) done.set(name, (done.get(name) ?? 0) + 1)
    else refused.set(name, reply?.text ?? 'there was nothing to do it to')
  }
  for (const [name, deed] of plan(play)) await again(name, deed)
  return { ...made, done, refused, again }
}

type Deed = (play: Play) => Promise<Reply | null>

/** Each deed once, so that no kind of rows is missing, and then results and others in turn. */
function plan(play: Play): (readonly [string, Deed])[] {
  const all = Object.entries(deeds)
  return [
    ...all,
    ...Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? (['result', result] as const) : play.of(all))),
  ]
}

/** A tournament that is being made, and what is drawn for it. */
class Play {
  readonly api: Harness
  readonly made: MadeBracket
  readonly shape: Shape
  readonly referee: Caller
  /** What deeds have made, for later ones, by what it is. */
  readonly kept = new Map<string, string[]>()
  #rolled = 0

  constructor(api: Harness, made: MadeBracket, shape: Shape, referee: Caller) {
    this.api = api
    this.made = made
    this.shape = shape
    this.referee = referee
  }

  /** A number below `below`. */
  roll(below: number): number {
    const { rolls } = this.shape
    return (rolls[this.#rolled++ % rolls.length] ?? 0) % below
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.roll(items.length)] as Item
  }

  get isSo(): boolean {
    return this.roll(2) === 1
  }

  /** A text that is not empty. */
  word(): string {
    return `${this.of(this.shape.words)} ${this.roll(1_000)}`
  }

  /** An instant of the year 2031, to the millisecond. */
  at(): string {
    return new Date(Date.UTC(2031, 0, 1) + this.roll(365) * 86_400_000 + this.roll(86_400_000)).toISOString()
  }

  post(path: string, body?: object, as: Caller = this.made.organiser): Promise<Reply> {
    return this.api.post(`${this.made.path}${path}`, as, body)
  }

  put(path: string, body: object, as: Caller = this.made.organiser): Promise<Reply> {
    return this.api.put(`${this.made.path}${path}`, as, body)
  }

  /** A match in one of the states, as the organiser sees it. */
  async match(...statuses: readonly string[]): Promise<BracketBody | null> {
    const { matches } = await this.made.read()
    const found = matches.filter(({ status }: BracketBody) => statuses.includes(status))
    return found.length === 0 ? null : this.of(found)
  }

  /** GUID. */
  captain(team: { readonly guid: string }): string | undefined {
    return this.made.captains[this.made.teams.findIndex(({ guid }) => guid === team.guid)]?.guid
  }

  keep(what: string, reply: Reply, guid: string | undefined): Reply {
    if (reply.status < 300 && guid !== undefined) this.kept.set(what, [...(this.kept.get(what) ?? []), guid])
    return reply
  }

  one(what: string): string | null {
    const all = this.kept.get(what) ?? []
    return all.length === 0 ? null : this.of(all)
  }
}

async function result(play: Play): Promise<Reply | null> {
  const match = await play.match('ready', 'in_progress')
  if (match === null) return play.post(`/brackets/${play.made.bracket.guid}/rounds`)
  const path = `/matches/${match.guid}`
  if (play.roll(6) === 0) return play.put(`${path}/result`, { outcome: 'walkover', winner: 1 + play.roll(2) })
  if (play.roll(10) === 0) return play.put(`${path}/result`, { outcome: 'double_forfeit' })
  const needed = Math.floor(match.bestOf / 2) + 1
  if (play.isSo) {
    const lost = play.roll(needed)
    const draw = play.roll(4) === 0 ? [needed - 1, needed - 1] : null
    return play.put(`${path}/result`, {
      outcome: 'score',
      scores: draw ?? (play.isSo ? [needed, lost] : [lost, needed]),
    })
  }
  let last: Reply | null = null
  for (let number = 1; number <= match.bestOf; number++) {
    const side = () => ({ score: play.roll(900_000), accuracy: play.roll(10_000) / 9_999, completion: 'passed' })
    const map = { hash: 'ab'.repeat(20), difficulty: 'Expert', characteristic: 'Standard', name: play.word() }
    const body = {
      sides: [side(), play.isSo ? side() : { score: play.roll(900_000) }],
      players: match.sides.map(({ team }: BracketBody, at: number) => ({
        ...{ userGuid: play.captain(team), side: at + 1, score: play.roll(900_000) },
      })),
      ...(play.isSo ? { map } : {}),
    }
    const reply = await play.put(`${path}/games/${number}`, body)
    if (reply.status >= 300) break
    last = reply
  }
  return last
}

/** Does to a match what needs the revision of a preview. */
async function previewed(path: string, body: object, send: (path: string, body: object) => Promise<Reply>) {
  const preview = await send(`${path}?dryRun=true`, body)
  if (preview.status >= 300) return preview
  const { revision, revisions } = preview.body
  return send(path, {
    ...body,
    ...(revision !== undefined && { revision }),
    ...(revisions !== undefined && { revisions }),
  })
}

const deeds: Readonly<Record<string, Deed>> = {
  ...planning(),
  ...mapping(),
  ...showing(),
  result,
  async correction(play) {
    const match = await play.match('completed')
    if (match === null) return null
    const scores = play.of([
      [2, 0],
      [0, 2],
      [2, 1],
      [1, 0],
      [1, 1],
    ])
    return previewed(`/matches/${match.guid}/result`, { outcome: 'score', scores, reason: play.word() }, (path, body) =>
      play.put(path, body),
    )
  },
  async reopening(play) {
    const match = await play.match('completed')
    if (match === null) return null
    return previewed(`/matches/${match.guid}/reopen`, { reason: play.word() }, (path, body) => play.post(path, body))
  },
  async withdrawal(play) {
    if (play.kept.get('withdrawn')?.length === 2) return null
    const team = play.of(play.made.teams).guid
    const body = { reason: play.word(), policy: play.of(['walkover', 'void']) }
    const reply = await previewed(`/teams/${team}/withdraw`, body, (path, given) => play.post(path, given))
    return play.keep('withdrawn', reply, team)
  },
  async match(play) {
    const match = await play.match('locked', 'ready', 'in_progress', 'completed')
    if (match === null) return null
    return play.api.patch(`${play.made.path}/matches/${match.guid}`, play.made.organiser, {
      scheduledAt: play.at(),
      streamUrl: 'https://live.example.org/one',
      notes: play.word(),
      officials: [{ user: play.referee.guid, role: 'role:referee' }],
    })
  },
  async calling(play) {
    const match = await play.match('ready')
    return match === null ? null : play.post(`/matches/${match.guid}/call`, { message: play.word() })
  },
  timeline: (play) =>
    play.put('/timelineEvents', {
      timelineEvents: Array.from({ length: 1 + play.roll(4) }, () => ({
        title: play.word(),
        description: play.word(),
        icon: 'flag',
        startTime: play.at(),
      })),
    }),
  settings: (play) =>
    play.api.patch(play.made.path, play.made.organiser, {
      name: play.word(),
      summary: play.word(),
      description: Array.from({ length: 3 }, () => play.word()).join('\n\n'),
      rules: `# ${play.word()}\n* ${play.word()}\n`,
      timezone: play.of(['Europe/Berlin', 'Pacific/Auckland']),
      liveScores: play.of(['staff', 'public']),
    }),
  async update(play) {
    const guid = crypto.randomUUID()
    const changes = [{ title: play.word(), before: play.word(), after: play.word() }]
    return play.post('/updates', { guid, title: play.word(), content: play.word(), changes })
  },
  role: async (play) =>
    play.post(`/permissions/${(await play.api.user()).guid}/grant`, {
      role: play.of(['role:caster', 'role:pooler', 'role:coordinator', 'role:designer']),
    }),
  async invitation(play) {
    // The rosters of registered teams are locked.
    const team = play.one('team') ?? (await makeTeam(play.api, play.made.cup, await play.api.user())).guid
    play.kept.set('team', [team])
    const { guid } = await play.api.user()
    return play.post(`/teams/${team}/invitations`, { userIdentifier: guid, message: play.word() })
  },
  note: (play) => play.put(`/registrations/${play.of(play.made.teams).guid}/note`, { note: play.word() }),
  async qualifier(play) {
    const maps = Array.from({ length: 1 + play.roll(3) }, (_, at) => ({
      ...{ hash: String(at + 1).repeat(40), difficulty: 'ExpertPlus', name: play.word(), maxScore: 1_000_000 },
      weight: 1 + play.roll(40) / 16,
    }))
    const body = { maps, status: 'open', hideScores: play.isSo, attempts: play.of([null, 2]) }
    const reply = await play.put('/qualifier', body)
    for (const { guid } of reply.body?.maps ?? []) play.keep('qualifierMap', reply, guid)
    return reply
  },
  async attempts(play) {
    const map = play.one('qualifierMap')
    if (map === null) return null
    const attempts = play.made.captains.map(({ guid }) => ({
      ...{ mapGuid: map, user: guid, score: play.roll(1_000_000), accuracy: play.roll(10_000) / 10_007 },
      misses: play.roll(9),
    }))
    const reply = await play.post('/qualifier/attempts', { attempts })
    for (const { guid } of reply.body?.accepted ?? []) play.keep('attempt', reply, guid)
    return reply
  },
  async voiding(play) {
    const attempt = play.one('attempt')
    return attempt === null ? null : play.post(`/qualifier/attempts/${attempt}/void`, { reason: play.word() })
  },
}

function planning(): Readonly<Record<string, Deed>> {
  const window = { startsAt: '2031-05-01T18:00:00.000Z', endsAt: '2031-05-01T22:00:00.000Z' }
  return {
    async sheet(play) {
      const body = { title: play.word(), mode: 'days', timezone: 'Europe/Berlin', windows: [window] }
      const reply = await play.post('/availability/sheets', body)
      return play.keep('sheet', reply, reply.body?.guid)
    },
    async response(play) {
      const sheet = play.one('sheet')
      if (sheet === null) return null
      const responses = [{ status: 'available', ...window, endsAt: '2031-05-01T20:00:00.000Z' }]
      return play.put(`/availability/sheets/${sheet}/responses`, { responses, role: 'role:referee' }, play.referee)
    },
    async proposal(play) {
      const { matches } = await play.made.read()
      const rules = { minutesPerMatch: 30, earliest: window.startsAt, latest: window.endsAt }
      const open = matches.filter(({ status }: BracketBody) => status === 'ready' || status === 'locked')
      const wish = { matches: open.slice(0, 4).map(({ guid }: BracketBody) => guid), sheets: [], rules }
      const reply = await play.post('/schedule/proposals', wish)
      return play.keep('proposal', reply, reply.body?.guid)
    },
    async applying(play) {
      const proposal = play.one('proposal')
      return proposal === null ? null : play.post(`/schedule/proposals/${proposal}/apply`)
    },
    async channels(play) {
      if (play.one('channel') !== null) return null
      const channels = [1, 2].map((at) => ({
        ...{ name: play.word(), url: `https://live.example.org/${at}`, delaySeconds: play.roll(2) },
      }))
      const reply = await play.put('/channels', { channels, revision: 0 })
      for (const { guid } of reply.body?.channels ?? []) play.keep('channel', reply, guid)
      return reply
    },
    async queue(play) {
      const channel = play.one('channel')
      const match = await play.match('locked', 'ready')
      if (channel === null || match === null) return null
      const { body } = await play.api.get(`${play.made.path}/channels`, play.made.organiser)
      const found = body.channels?.find(({ guid }: BracketBody) => guid === channel)
      const entries = [{ match: match.guid, status: 'next', plannedAt: play.at() }]
      return play.put(`/channels/${channel}/queue`, { entries, revision: found?.queueRevision ?? 0 })
    },
    async assignment(play) {
      const match = await play.match('locked', 'ready')
      const times = { startsAt: '2031-05-01T18:00:00.000Z', endsAt: '2031-05-01T20:00:00.000Z' }
      const body = { user: play.referee.guid, role: 'observer', ...times, note: play.word() }
      return match === null ? null : play.post('/streamAssignments', { ...body, match: match.guid })
    },
  }
}

function mapping(): Readonly<Record<string, Deed>> {
  return {
    flairs: async (play) => {
      if (play.one('flair') !== null) return null
      const reply = await play.put('/flairs', {
        flairs: ['#3fa7d6', '#ABCDEF'].map((color) => ({ name: play.word(), color })),
      })
      for (const { guid } of reply.body?.flairs ?? []) play.keep('flair', reply, guid)
      return reply
    },
    async pool(play) {
      const reply = await play.post('/pools', { name: play.word(), description: play.word() })
      return play.keep('pool', reply, reply.body?.guid)
    },
    async pooled(play) {
      const pool = play.one('pool')
      if (pool === null) return null
      const body = { mapGuid: play.one('map'), reason: play.word(), note: play.word(), flairGuid: play.one('flair') }
      const reply = await play.post(`/pools/${pool}/maps`, body)
      return play.keep('poolMap', reply, reply.body?.guid ?? reply.body?.map?.guid)
    },
    async publishing(play) {
      const pool = play.one('pool')
      return pool === null ? null : play.post(`/pools/${pool}/publish`, { force: true })
    },
    pooling: (play) => play.api.patch(`${play.made.path}/pooling`, play.made.organiser, { openSuggestions: play.isSo }),
    async suggestion(play) {
      const reply = await play.post('/suggestions', { mapGuid: play.one('map'), note: play.word() })
      return play.keep('suggestion', reply, reply.body?.guid)
    },
    async vote(play) {
      const suggestion = play.one('suggestion')
      return suggestion === null ? null : play.put(`/suggestions/${suggestion}/vote`, { value: play.of([-1, 1]) })
    },
    async comment(play) {
      const suggestion = play.one('suggestion')
      if (suggestion === null) return null
      const replyTo = play.one(`comment of ${suggestion}`)
      const reply = await play.post(`/suggestions/${suggestion}/comments`, { text: play.word(), replyTo })
      return play.keep(`comment of ${suggestion}`, reply, reply.body?.guid)
    },
    async rejection(play) {
      const suggestion = play.one('suggestion')
      return suggestion === null ? null : play.post(`/suggestions/${suggestion}/reject`, { reason: play.word() })
    },
    async poolPlan(play) {
      const pool = play.one('pool')
      const match = await play.match('locked', 'ready')
      if (pool === null || match === null) return null
      const { body } = await play.api.get(`${play.made.path}/pool-plan`, play.made.organiser)
      const matches = [{ matchGuid: match.guid, poolGuid: pool }]
      return play.put('/pool-plan', { revision: body.revision ?? 0, default: pool, brackets: [], matches })
    },
    async flow(play) {
      const reply = await play.post('/flows', {
        name: play.word(),
        basedOn: play.of(['accsaber-bo3', 'referee-picks']),
      })
      return play.keep('flow', reply, reply.body?.guid)
    },
    async flowPlan(play) {
      const flow = play.one('flow')
      const { body } = await play.api.get(`${play.made.path}/flow-plan`, play.made.organiser)
      const plan = { revision: body.revision ?? 0, default: flow ?? 'accsaber-bo3', brackets: [], matches: [] }
      return play.put('/flow-plan', plan)
    },
    /** A session in which maps are drawn until it is decided; at times it is left as it is, or void. */
    async session(play) {
      const flow = await play.post('/flows', { name: play.word(), ...drawn })
      const pool = play.one('pool of sessions')
      const seats = [{ teamGuid: play.made.teams[0]?.guid }, { name: play.word().slice(0, 30) }]
      const begun = await play.post(
        '/flow-sessions',
        { flow: flow.body?.guid, pool, seats, public: play.isSo },
        play.referee,
      )
      if (begun.status >= 300) return begun
      const path = `/flow-sessions/${begun.body.session}`
      if (play.roll(5) === 0) return play.post(`${path}/finish`, { reason: play.word() }, play.referee)
      let state = begun.body
      const step = async (operation: string, body: object, as: Caller) => {
        const reply = await play.post(`${path}/${operation}`, { expect: state.position, ...body }, as)
        state = reply.body?.state ?? (reply.status < 300 ? reply.body : state)
      }
      const [captain = play.referee] = play.made.captains
      for (let games = play.roll(4) === 0 ? 1 : 5; games > 0 && state.status === 'running'; games--) {
        const scores = [
          { user: captain.guid, score: play.roll(900_000), accuracy: play.roll(10_000) / 10_007, misses: 1 },
          { seat: 2, score: play.roll(900_000) },
        ]
        await step('scores', { scores }, play.referee)
        // Both seats do without a replay.
        if (state.phase === 'window') await step('act', { action: 'accept' }, captain)
        if (state.phase === 'window') await step('act', { action: 'accept', seat: 2 }, play.referee)
      }
      return begun
    },
  }
}

const drawn = {
  bestOf: 3,
  steps: [{ repeat: 'until_decided', steps: [{ action: 'random', actor: 'system' }, { action: 'play' }] }],
}

function showing(): Readonly<Record<string, Deed>> {
  return {
    async overlay(play) {
      const reply = await play.post('/overlays', { name: play.word(), access: play.of(['token', 'public']) })
      return play.keep('overlay', reply, reply.body?.guid)
    },
    async scene(play) {
      const overlay = play.one('overlay')
      if (overlay === null) return null
      const path = `${play.made.path}/overlays/${overlay}/scene`
      const headers = { 'if-match': '*' }
      const reply = await play.api.call('PUT', path, { as: play.made.organiser, body: play.shape.document, headers })
      if (reply.status < 300) play.kept.set(`revision of ${overlay}`, [String(reply.body.revision)])
      return reply
    },
    async published(play) {
      const overlay = play.one('overlay')
      const revision = Number(play.one(`revision of ${overlay}`))
      return overlay === null ? null : play.post(`/overlays/${overlay}/publish`, { revision, name: play.word() })
    },
    async version(play) {
      const overlay = play.one('overlay')
      return overlay === null ? null : play.post(`/overlays/${overlay}/versions`, { name: play.word() })
    },
    async control(play) {
      const overlay = play.one('overlay')
      if (overlay === null) return null
      return play.api.patch(`${play.made.path}/overlays/${overlay}/control`, play.made.organiser, {
        flavour: play.word(),
        casters: [{ name: play.word(), userGuid: play.referee.guid }],
        custom: { score: play.roll(1_000) / 7, note: play.word(), isLive: play.isSo },
        audio: { volume: play.roll(100) / 99 },
      })
    },
  }
}

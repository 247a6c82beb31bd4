import { type Static, Type } from 'typebox'
import type { Bracket } from './bracket.ts'
import { bodyOf, inParallel } from './client.ts'
import type { Cup, Schedule } from './cup.ts'
import type { Person, SignIn } from './people.ts'
import type { Story } from './story.ts'
import { callsAtOnce, type Entry } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/** Teams and officials answer when they are available, and the matches of the first round are scheduled from that. */

const Sheet = Type.Object({ guid: Type.String(), title: Type.String() })
type Sheet = Static<typeof Sheet>

const Overlap = Type.Object({
  slots: Type.Array(
    Type.Object({
      startsAt: Type.String(),
      rank: Type.Integer(),
      counts: Type.Object({
        available: Type.Integer(),
        maybe: Type.Integer(),
        would_rather_not: Type.Integer(),
        unavailable: Type.Integer(),
      }),
    }),
  ),
})
const Proposal = Type.Object({
  guid: Type.String(),
  placements: Type.Array(
    Type.Object({
      matchGuid: Type.String(),
      number: Type.Integer(),
      startsAt: Type.String(),
      stream: Type.String(),
      officials: Type.Array(Type.Object({ role: Type.String() })),
      reason: Type.String(),
    }),
  ),
  unplaced: Type.Array(Type.Object({ number: Type.Integer(), reason: Type.String() })),
})
const Answered = Type.Unknown()

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

interface Span {
  readonly startsAt: string
  readonly endsAt: string
}

/** From 10:00 to 20:00 on the days of the first round. */
function windowsOf({ matches }: Cup, { weeks }: Schedule): readonly Span[] {
  const days = new Set(matches.filter(({ round }) => round === 'U1').map(({ playedOn }) => playedOn))
  return [...days].sort().map((day) => span(Date.parse(day) + weeks * weekMs + 10 * hourMs, 10))
}

function span(start: number, hours: number): Span {
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(start + hours * hourMs).toISOString() }
}

export async function planFirstRound(
  scene: Scene,
  tournament: Tournament,
  bracket: Bracket,
  entries: readonly Entry[],
  { schedule, signIn }: { readonly schedule: Schedule; readonly signIn: SignIn },
): Promise<void> {
  const { story, cup } = scene
  story.chapter('When can everybody?')
  const windows = windowsOf(cup, schedule)
  const [teams, staff] = [
    await ask(scene, tournament, { title: 'First round', audience: 'teams', slotMinutes: 60, windows }),
    await ask(scene, tournament, {
      title: 'Officials of the first round',
      audience: 'staff',
      roles: ['role:referee', 'role:caster'],
      windows,
    }),
  ]
  await answerForTeams(scene, tournament, teams, entries, windows)
  await answerAsOfficials(scene, tournament, staff, await hireOfficials(scene, tournament, signIn), windows)
  await showOverlap(scene, tournament, teams)
  await propose(scene, tournament, { bracket, sheets: [teams, staff], windows, changing: { sheet: teams, entries } })
}

async function ask(
  { client, story, officials }: Scene,
  { id }: Tournament,
  sheet: Readonly<Record<'title' | 'audience', string>> & Readonly<Record<string, unknown>>,
): Promise<Sheet> {
  const json = { mode: 'days', timezone: 'UTC', ...sheet }
  const { token } = officials.organiser
  const answer = await client.call('POST', `/tournaments/${id}/availability/sheets`, { token, json })
  return story.succeed(`the organiser makes a sheet for ${sheet.audience}: “${sheet.title}”`, 201, answer, Sheet)
}

/** The availability of four kinds of teams, in turn. */
function timesOf(index: number, windows: readonly Span[]): readonly (Span & { readonly status: string })[] {
  return windows.flatMap(({ startsAt, endsAt }, day) => {
    const noon = new Date((Date.parse(startsAt) + Date.parse(endsAt)) / 2).toISOString()
    const [morning, afternoon] = [
      { startsAt, endsAt: noon },
      { startsAt: noon, endsAt },
    ]
    const whole = (status: string) => [{ startsAt, endsAt, status }]
    if (index % 4 === 0) return whole('available')
    if (index % 4 === 1) return whole(day === 0 ? 'available' : 'maybe')
    if (index % 4 === 2) return whole(day === 0 ? 'would_rather_not' : 'available')
    return [
      { ...morning, status: 'unavailable' },
      { ...afternoon, status: 'available' },
    ]
  })
}

async function answerForTeams(
  { client, story }: Scene,
  { id }: Tournament,
  { guid }: Sheet,
  entries: readonly Entry[],
  windows: readonly Span[],
): Promise<void> {
  const path = `/tournaments/${id}/availability/sheets/${guid}/teams`
  await inParallel([...entries.entries()], callsAtOnce, async ([index, entry]) => {
    const json = { responses: timesOf(index, windows) }
    const answer = await client.call('PUT', `${path}/${entry.guid}/responses`, { token: entry.captain.token, json })
    bodyOf(answer, 200, Answered)
  })
  story.tell(`the captains of ${entries.length} teams have answered`)
}

/** One more referee and one more caster, in addition to the existing ones. */
async function hireOfficials(
  { client, officials }: Scene,
  { id }: Tournament,
  signIn: SignIn,
): Promise<readonly Person[]> {
  const { organiser, referee, caster } = officials
  const hired = [
    { person: await signIn('demo-referee-2'), role: 'role:referee' },
    { person: await signIn('demo-caster-2'), role: 'role:caster' },
  ]
  for (const { person, role } of hired) {
    const path = `/tournaments/${id}/permissions/${person.chatPlatformId}/grant`
    bodyOf(await client.call('POST', path, { token: organiser.token, json: { role } }), 200, Answered)
  }
  return [referee, caster, ...hired.map(({ person }) => person)]
}

async function answerAsOfficials(
  { client, story }: Scene,
  { id }: Tournament,
  { guid }: Sheet,
  people: readonly Person[],
  windows: readonly Span[],
): Promise<void> {
  for (const [index, { token }] of people.entries()) {
    const statuses = index % 2 === 0 ? ['available', 'maybe'] : ['would_rather_not', 'available']
    const responses = windows.map((window, day) => ({ ...window, status: statuses[day % 2] }))
    const path = `/tournaments/${id}/availability/sheets/${guid}/responses`
    bodyOf(await client.call('PUT', path, { token, json: { responses } }), 200, Answered)
  }
  story.tell(`${people.length} officials have answered`)
}

async function showOverlap({ client, story, officials }: Scene, { id }: Tournament, { guid }: Sheet): Promise<void> {
  const path = `/tournaments/${id}/availability/sheets/${guid}/overlap`
  story.refuse(
    'a caster looks at what the teams answered',
    404,
    await client.call('GET', path, { token: officials.caster.token }),
  )
  const answer = await client.call('GET', path, { token: officials.organiser.token })
  const { slots } = story.succeed('the organiser looks at where the teams’ times meet', 200, answer, Overlap)
  for (const { startsAt, counts } of slots.toSorted((one, other) => one.rank - other.rank).slice(0, 3)) {
    const { available, maybe, would_rather_not: rather, unavailable } = counts
    story.tell(`${clock(startsAt)}  ${available} can, ${maybe} may, ${rather} would rather not, ${unavailable} cannot`)
  }
}

function clock(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ')
}

async function propose(
  { client, story, officials }: Scene,
  { id }: Tournament,
  {
    bracket,
    sheets,
    windows,
    changing,
  }: {
    readonly bracket: Bracket
    readonly sheets: readonly Sheet[]
    readonly windows: readonly Span[]
    readonly changing: { readonly sheet: Sheet; readonly entries: readonly Entry[] }
  },
): Promise<void> {
  const { token } = officials.organiser
  const path = `/tournaments/${id}/schedule/proposals`
  const json = {
    round: { bracketGuid: bracket.guid, section: 'upper', number: 1 },
    sheets: sheets.map(({ guid }) => guid),
    rules: {
      minutesPerMatch: 60,
      minRestMinutes: 60,
      streams: ['https://stream.example.org/world-cup', 'https://stream.example.org/world-cup-2'],
      officialsPerMatch: { 'role:referee': 1, 'role:caster': 1 },
      earliest: windows[0]?.startsAt,
      latest: windows.at(-1)?.endsAt,
    },
  }
  const ask = () => client.call('POST', path, { token, json })
  const first = story.succeed('the organiser has a schedule proposed', 201, await ask(), Proposal)
  show(story, first)

  const [, late] = changing.entries
  if (late === undefined) throw new Error('there are no teams')
  const answers = { responses: timesOf(3, windows) }
  const answer = await client.call(
    'PUT',
    `/tournaments/${id}/availability/sheets/${changing.sheet.guid}/teams/${late.guid}/responses`,
    {
      token: late.captain.token,
      json: answers,
    },
  )
  story.succeed(`meanwhile ${late.nation.name} can no longer play in the mornings`, 200, answer, Answered)
  const apply = (guid: string) => client.call('POST', `${path}/${guid}/apply`, { token })
  story.refuse('the organiser applies what was proposed before that', 409, await apply(first.guid))
  const second = story.succeed('they have it proposed again', 201, await ask(), Proposal)
  story.succeed('and apply it', 200, await apply(second.guid), Proposal)
  story.tell(`${second.placements.length} matches have their times and officials, ${second.unplaced.length} have not`)
}

const shown = 4

function show(story: Story, { placements, unplaced }: Static<typeof Proposal>): void {
  for (const { number, startsAt, reason } of placements.slice(0, shown)) {
    story.tell(`${clock(startsAt)}  match ${number}: ${reason}`)
  }
  if (placements.length > shown) story.tell(`and ${placements.length - shown} more`)
  for (const { number, reason } of unplaced) story.tell(`match ${number} has no place: ${reason}`)
}

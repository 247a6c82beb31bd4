import { Type } from 'typebox'
import { bodyOf, type Client, inParallel } from './client.ts'
import type { Cup } from './cup.ts'
import { showTeams } from './media.ts'
import type { Person } from './people.ts'
import { enterFromSheet } from './sheet.ts'
import type { Story } from './story.ts'
import { closeRegistration, type Scene, type Tournament } from './tournament.ts'

/** Teams are formed, registered, and qualified with the seeds of the cup. */

type Nation = Cup['teams'][number]

/** The players of a nation. */
export interface Squad {
  readonly nation: Nation
  readonly captain: Person
  readonly others: readonly Person[]
}

/** A squad that has a team in the tournament. */
export interface Entry extends Squad {
  readonly guid: string
}

export const callsAtOnce = 8

const Team = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  status: Type.String(),
  seed: Type.Union([Type.Integer(), Type.Null()]),
  captain: Type.Object({ username: Type.String(), preferredName: Type.String() }),
  members: Type.Array(Type.Object({ user: Type.Object({ guid: Type.String() }), isActive: Type.Boolean() })),
})
const NewTeam = Type.Object({ newTeam: Team })
const Invitation = Type.Object({ guid: Type.String(), tournament: Type.Object({ guid: Type.String() }) })
const Teams = Type.Object({ teams: Type.Array(Team) })

/** The short id of a nation’s team, and the prefix of its players’ names. */
export function slugOf({ name }: Nation): string {
  return name.toLowerCase().replace(/[^a-z]+/g, '-')
}

/**
 * @param squads the teams that take part, by seed
 * @param surplus a team for which there is no place
 * @param isFromSheet whether the organiser enters the teams, from a sheet, and not their captains
 */
export async function register(
  scene: Scene,
  tournament: Tournament,
  squads: readonly Squad[],
  surplus: Squad,
  { closesAt, isFromSheet }: { readonly closesAt: Date; readonly isFromSheet: boolean },
): Promise<{ readonly entries: readonly Entry[]; readonly picture: string }> {
  const { client, story } = scene
  story.chapter('Teams')
  const [first, second] = squads
  if (first === undefined || second === undefined) throw new Error('there are no squads')

  const entries = isFromSheet
    ? await enterFromSheet(scene, tournament, squads, surplus)
    : await enterThemselves(scene, tournament, squads, first)
  const [early] = entries
  if (early === undefined) throw new Error('there are no entries')

  const picture = await showTeams(scene, tournament, entries)

  const foreign = await tryToRegister(client, tournament, { ...early, captain: second.captain })
  story.refuse(`the captain of ${second.nation.name} registers ${first.nation.name}`, 401, foreign)
  await inParallel(entries, callsAtOnce, async (entry) =>
    bodyOf(await tryToRegister(client, tournament, entry), 200, NewTeam),
  )
  story.tell(`${entries.length} captains have registered their teams, with answers to both questions`)
  const late = { ...surplus, guid: await createTeam(client, tournament, surplus) }
  const full = await tryToRegister(client, tournament, late)
  story.refuse(`${late.nation.name}, team number ${entries.length + 1}, registers`, 400, full)

  story.chapter('The deadline')
  await closeRegistration(scene, tournament, closesAt)
  story.refuse(`${late.nation.name} tries again`, 400, await tryToRegister(client, tournament, late))
  const { token } = first.captain
  const leaving = await client.call('POST', `/tournaments/${tournament.id}/unregister/${early.guid}`, { token })
  story.refuse(`the captain of ${first.nation.name} unregisters`, 403, leaving)
  return { entries, picture }
}

/** Captains make their teams and invite the others. */
async function enterThemselves(
  { client, story }: Scene,
  tournament: Tournament,
  squads: readonly Squad[],
  first: Squad,
): Promise<readonly Entry[]> {
  const early = { ...first, guid: await createTeam(client, tournament, first) }
  const lonely = await tryToRegister(client, tournament, { ...early, others: [] }, [])
  story.refuse(`${first.nation.name}, one player yet and no answers, registers`, 400, lonely)

  const entries = await inParallel(squads, callsAtOnce, async (squad): Promise<Entry> => {
    const entry = squad === first ? early : { ...squad, guid: await createTeam(client, tournament, squad) }
    await inviteAll(client, tournament, entry)
    return entry
  })
  const players = squads.reduce((sum, { others }) => sum + others.length, 0)
  story.tell(`${entries.length} captains have made their teams; ${players} invited players have joined them`)
  return entries
}

async function createTeam(client: Client, { id }: Tournament, { nation, captain }: Squad): Promise<string> {
  const json = { captainId: captain.guid, teamName: nation.name, teamId: slugOf(nation) }
  const answer = await client.call('POST', `/tournaments/${id}/teams`, { token: captain.token, json })
  return bodyOf(answer, 200, NewTeam).newTeam.guid
}

/** The captain invites each player, who finds the invitation in their list and accepts it. */
async function inviteAll(client: Client, tournament: Tournament, { guid, captain, others }: Entry): Promise<void> {
  for (const { chatPlatformId, token } of others) {
    const invited = await client.call('POST', `/tournaments/${tournament.id}/teams/${guid}/invitations`, {
      token: captain.token,
      json: { userIdentifier: chatPlatformId },
    })
    bodyOf(invited, 201, Invitation)
    const mine = await client.call('GET', '/users/@me/invitations', { token })
    const invitations = bodyOf(mine, 200, Type.Array(Invitation))
    const invitation = invitations.find((each) => each.tournament.guid === tournament.guid)
    if (invitation === undefined) throw new Error(`${mine.call} does not list an invitation that was just made`)
    bodyOf(await client.call('POST', `/invitations/${invitation.guid}/accept`, { token }), 200, Invitation)
  }
}

interface GivenAnswer {
  readonly fieldGuid: string
  readonly userGuid?: string
  readonly response: string
}

function tryToRegister(
  client: Client,
  tournament: Tournament,
  entry: Entry,
  additionalFields: readonly GivenAnswer[] = answersOf(tournament, entry),
) {
  const path = `/tournaments/${tournament.id}/register/${entry.guid}`
  return client.call('POST', path, { token: entry.captain.token, json: { additionalFields } })
}

/** The team’s field is answered once, the players’ field for each player. */
function answersOf({ additionalFields }: Tournament, { captain, others }: Entry): GivenAnswer[] {
  return additionalFields.flatMap(({ guid: fieldGuid, subject }): GivenAnswer[] =>
    subject === 'team'
      ? [{ fieldGuid, response: 'Saturdays and Sundays from 10:00 to 20:00' }]
      : [captain, ...others].map(({ guid: userGuid }) => ({ fieldGuid, userGuid, response: 'true' })),
  )
}

export async function qualify(scene: Scene, tournament: Tournament, entries: readonly Entry[]): Promise<void> {
  const { client, story, officials } = scene
  story.chapter('The bracket’s seeds')
  const advance = ({ token }: Person, { guid, nation }: Entry) =>
    client.call('POST', `/tournaments/${tournament.id}/qualify/${guid}`, { token, json: { seed: nation.seed } })
  const [top] = entries
  if (top !== undefined) story.refuse('the caster qualifies a team', 401, await advance(officials.caster, top))
  await inParallel(entries, callsAtOnce, async (entry) =>
    bodyOf(await advance(officials.organiser, entry), 200, NewTeam),
  )
  story.tell(`the organiser has qualified ${entries.length} teams`)
}

/** Prints the public list of teams by seed, with their results in the qualifiers. */
export async function showSeeds({ client, story, cup }: Scene, { id }: Tournament): Promise<void> {
  const answer = await client.call('GET', `/tournaments/${id}/teams?status=qualified&limit=100`)
  const { teams } = story.succeed('anybody reads the teams', 200, answer, Teams)
  const results = new Map(
    cup.qualifier.standings.map(({ team, sumOfShares }) => {
      const nation = cup.teams.find(({ code }) => code === team)
      return [nation?.name, sumOfShares.toFixed(3)]
    }),
  )
  const bySeed = teams.toSorted((one, other) => (one.seed ?? 0) - (other.seed ?? 0))
  table(story, [
    ['seed', 'team', 'captain', 'players', 'on field', 'qualifier'],
    ...bySeed.map(({ seed, name, captain, members }) => [
      String(seed),
      name,
      captain.preferredName,
      String(members.length),
      String(members.filter(({ isActive }) => isActive).length),
      results.get(name) ?? '',
    ]),
  ])
}

function table(story: Story, rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const isNumber = (text: string) => /^[\d.]+$/.test(text)
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      isNumber(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    )
    story.tell(cells.join('  ').trimEnd())
  }
}

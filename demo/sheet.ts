import { Type } from 'typebox'
import { bodyOf, inParallel } from './client.ts'
import { callsAtOnce, type Entry, type Squad } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/** The cup’s teams from a sheet of sign-ups, as organisers have it: some of its people have never signed in. */

const Imported = Type.Object({
  rows: Type.Array(
    Type.Object({
      outcome: Type.String(),
      reason: Type.Union([Type.String(), Type.Null()]),
      team: Type.Union([Type.Object({ guid: Type.String(), name: Type.String() }), Type.Null()]),
    }),
  ),
  totals: Type.Object({
    created: Type.Integer(),
    same: Type.Integer(),
    placeholders: Type.Integer(),
    invited: Type.Integer(),
  }),
})
const Invitations = Type.Array(Type.Object({ guid: Type.String(), tournament: Type.Object({ guid: Type.String() }) }))

/** A line for each nation: the squads by the chat accounts of their players, the others by names alone. */
function sheetOf({ cup }: Scene, squads: readonly Squad[], surplus: Squad): string {
  const known = squads.map(({ nation, captain, others }) =>
    [nation.name, captain.chatPlatformId, others.map(({ chatPlatformId }) => chatPlatformId).join('|')].join(';'),
  )
  const unknown = cup.teams
    .filter(({ seed, name }) => seed === null && name !== surplus.nation.name)
    .map(({ name }) => [name, `Captain of ${name}`, `First of ${name}|Second of ${name}`].join(';'))
  return ['Team;Captain;Players', ...known, ...unknown].join('\r\n')
}

/** Imports the sheet, twice; the invited players accept. Returns the squads with their teams. */
export async function enterFromSheet(
  scene: Scene,
  tournament: Tournament,
  squads: readonly Squad[],
  surplus: Squad,
): Promise<readonly Entry[]> {
  const { client, story, officials } = scene
  const sheet = sheetOf(scene, squads, surplus)
  const send = (dryRun: boolean) => {
    const upload = new FormData()
    upload.append('dryRun', String(dryRun))
    upload.append('file', new Blob([sheet], { type: 'text/csv' }), 'sign-ups.csv')
    return client.call('POST', `/tournaments/${tournament.id}/teams/import`, {
      token: officials.organiser.token,
      upload,
    })
  }
  story.succeed('the organiser looks at what the sheet would do', 200, await send(true), Imported)
  const { rows, totals } = story.succeed('the organiser imports the sheet', 200, await send(false), Imported)
  story.tell(
    `${totals.created} teams: ${totals.invited} people are invited, ${totals.placeholders} others have not signed in`,
  )
  const again = story.succeed('the organiser imports it again', 200, await send(false), Imported)
  story.tell(`${again.totals.same} rows are the same, and nothing changes`)
  const entries = squads.map((squad, index): Entry => {
    const team = rows[index]?.team
    if (team == null) throw new Error(`${squad.nation.name} was not entered: ${rows[index]?.reason}`)
    return { ...squad, guid: team.guid }
  })
  await inParallel(entries, callsAtOnce, async ({ captain, others }) => {
    for (const { token } of [captain, ...others]) {
      const invitations = bodyOf(await client.call('GET', '/users/@me/invitations', { token }), 200, Invitations)
      const invitation = invitations.find((each) => each.tournament.guid === tournament.guid)
      if (invitation === undefined) throw new Error('a player of the sheet was not invited')
      bodyOf(await client.call('POST', `/invitations/${invitation.guid}/accept`, { token }), 200, Type.Unknown())
    }
  })
  story.tell('everybody who was invited has accepted; the captains have the places that were kept for them')
  return entries
}

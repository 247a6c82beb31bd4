import type { BracketBody, MadeBracket } from './bracket-play.ts'
import type { Harness } from './harness.ts'
import { beginSong, expectedPlayer } from './proposals.ts'

/** Targets and inputs for the commands of proposals. */

/** @param matches with both teams, and not started */
export async function proposalCommands(api: Harness, made: MadeBracket, matches: readonly BracketBody[]) {
  const [accepted, rejected] = await Promise.all(matches.slice(0, 2).map((match) => makeProposal(api, made, match)))
  if (accepted === undefined || rejected === undefined) throw new Error('two matches are needed')
  return {
    'proposals.accept': { at: accepted.at },
    'proposals.reject': { at: rejected.at, body: { reason: 'Played on the wrong difficulty.' } },
    'live.set': { at: { match: rejected.at.match, user: rejected.player }, body: { score: 912_345 } },
    'bridgeTickets.make': { at: { match: rejected.at.match }, body: { user: rejected.player } },
    'bridgeTickets.end': { at: { match: accepted.at.match, user: accepted.player } },
  }
}

async function makeProposal(api: Harness, made: MadeBracket, match: BracketBody) {
  const players = match.sides.map(({ team }: BracketBody) => {
    const index = made.teams.findIndex(({ guid }) => guid === team.guid)
    return made.captains[index]?.guid as string
  }) as string[]
  const song = await beginSong(api, {
    tournamentGuid: made.cup.guid,
    matchGuid: match.guid,
    expected: players.map((userGuid, index) => expectedPlayer(userGuid, index === 0 ? 1 : 2)),
  })
  for (const [index, user] of players.entries()) await song.finish(user, 900_000 + index)
  const { guid } = await song.propose()
  return { at: { match: match.guid as string, gameProposal: guid }, player: players[0] as string }
}

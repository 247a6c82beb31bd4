import { connect } from '../client/connect.ts'

/**
 * A score board in the terminal: how a match stands and what happens in it, until it is completed. It needs no token.
 *
 *     node examples/scoreboard.ts /tournaments/spring-cup/matches/12
 */

const { SERVICE = 'http://127.0.0.1:3001', SOCKET = 'ws://127.0.0.1:48522' } = process.env
const [, , name = '/tournaments/spring-cup/matches/12'] = process.argv

let shown = ''

/** Prints a line where the score or the status has changed. */
function show({ sides, status }: NonNullable<typeof match.value>): void {
  const [first, second] = sides.map(({ team, score }) => ({ team: team?.name ?? '?', score: score ?? 0 }))
  const line = `${first?.team} ${first?.score} : ${second?.score} ${second?.team} (${status})`
  if (line !== shown) console.log(line)
  shown = line
}

const client = connect({ url: SOCKET, apiUrl: `${SERVICE}/api` })
const match = client.topic(name as `/tournaments/${string}/matches/${string}`, { facts: true })
match.subscribe(({ value, facts, status, error }) => {
  for (const { at, type } of facts) console.log(`${at} ${type}`)
  if (value !== undefined) show(value)
  if (value?.status === 'completed') client.close()
  else if (status === 'ended') throw error
})

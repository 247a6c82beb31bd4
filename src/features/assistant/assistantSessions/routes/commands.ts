import type { SignedIn } from '../../../../core/actor.ts'
import { command } from '../../../../core/operation.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import type { Clients } from '../../../../services.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { operators } from '../../assistantLinks/policy.ts'
import { notLinked } from '../../assistantLinks/rules/links.ts'
import { findLink } from '../../assistantLinks/store.ts'
import { CheckBody, ColorBody, DelaysBody, MapBody, ModifyBody, PlayBody, PlayerBody, SomeBody } from '../bodies.ts'
import { sessionClosed } from '../commands/sessions.ts'
import { readView } from '../queries.ts'
import { findOfMatch } from '../store/sessions.ts'
import { AssistantSessionView } from '../views.ts'
import { ofMatchPath } from './sessions.ts'

/**
 * Commands of a session's controller. The process that holds the session carries them out, and the answer waits for the
 * assistant's answer. (AS6)
 */

interface Asking {
  readonly clients: Pick<Clients, 'assistantSessions'>
  readonly actor: SignedIn
  readonly match: MatchRecord
  readonly request: { readonly key: string | null }
}

async function ask({ clients, actor, match, request }: Asking, name: string, body: object): Promise<void> {
  await clients.assistantSessions.ask({ match: match.guid, user: actor.guid, key: request.key, name, body })
}

async function answer({
  tx,
  actor,
  match,
  now,
}: {
  readonly tx: Tx
  readonly actor: SignedIn
  readonly match: MatchRecord
  readonly now: Date
}) {
  const session = await findOfMatch(tx, match.guid)
  if (session === undefined) throw sessionClosed()
  return readView(tx, session, { actor, now })
}

async function loadLink(db: Db, tournament: { readonly guid: string }) {
  const link = await findLink(db, tournament.guid)
  if (link === undefined) throw notLinked()
  return link
}

const common = {
  scope: 'assistant',
  socket: true,
  allow: operators,
  reply: { 200: AssistantSessionView },
} as const

const problems = {
  'match.ambiguous': 409,
  'assistant.closed': 409,
  'assistant.not_controller': 409,
  'assistant.timeout': 503,
  'command.key_reused': 409,
  'tournament.cancelled': 409,
} as const

const asked = {
  ...problems,
  'assistant.not_linked': 409,
  'assistant.players_missing': 409,
  'assistant.permission': 409,
  'assistant.refused': 409,
} as const

/** The refusals of a song that could not lead to a result, with their statuses. (D78) */
const unworthy = {
  'flow.blocked': 409,
  'match.completed': 409,
  'match.cancelled': 409,
  'assistant.reason_missing': 400,
} as const

const whenHeld =
  'While blocking warnings hold the flow it is refused with these (`flow.blocked`). Once the match is decided or cancelled it is refused as well (`match.completed`, `match.cancelled`), unless `force` is sent with a `reason`.'

/**
 * @returns the reason; null without `force`
 * @throws Problem `assistant.reason_missing`
 */
function forceOf(body: { readonly force?: boolean; readonly reason?: string } | undefined): string | null {
  if (body?.force !== true) return null
  if (body.reason !== undefined) return body.reason
  throw invalid(
    'assistant.reason_missing',
    'Say in `reason` why a song is loaded or played although the match is decided.',
  )
}

const setPlayer = command({
  ...common,
  name: 'assistant.setPlayer',
  method: 'PUT',
  path: `${ofMatchPath}/players/:user`,
  summary: 'Say by which platform id somebody is found at the assistant, for this session.',
  description: 'For accounts that are not linked, or played by somebody else; results then say `mapped_by_hand`.',
  body: PlayerBody,
  problems,
  prepare: (input) => ask(input, 'setPlayer', { user: input.user.guid, platformId: input.body.platformId }),
  run: answer,
})

const setMap = command({
  ...common,
  name: 'assistant.setMap',
  method: 'PUT',
  path: `${ofMatchPath}/map`,
  summary: 'Set the map that is played next: that of the flow session, one of a pool, or any.',
  description:
    'Answered when the assistant has taken it. What players had loaded before counts no more. While blocking warnings hold the flow it is refused with these (`flow.blocked`).',
  body: MapBody,
  problems: {
    ...asked,
    'flow.blocked': 409,
    'assistant.map_unknown': 409,
    'assistant.no_turn': 409,
    'assistant.no_match': 409,
    'assistant.play_open': 409,
  },
  prepare: (input) => ask(input, 'setMap', input.body),
  run: answer,
})

const load = command({
  ...common,
  name: 'assistant.load',
  method: 'POST',
  path: `${ofMatchPath}/load`,
  summary: 'Have the players, or some of them, load the map.',
  description: `Answered when all have, or after seven seconds, from when on the session tells who has. ${whenHeld}`,
  body: SomeBody,
  bodyOptional: true,
  problems: { ...asked, ...unworthy, 'assistant.no_map': 409, 'assistant.play_open': 409 },
  prepare: (input) => ask(input, 'load', { players: lower(input.body?.players), force: forceOf(input.body) }),
  run: answer,
})

const readyCheck = command({
  ...common,
  name: 'assistant.readyCheck',
  method: 'POST',
  path: `${ofMatchPath}/ready-check`,
  summary: 'Ask the players in their headsets whether they are ready.',
  description:
    'With the text of the link where none is given. Answered when all have answered, or after seven seconds, from when on the session tells who has. Where the assistant does not let us ask (`show_prompt`), the check is left out: players count as not asked, nothing of it stands against a start, and the session has the warning `no_ready_check`.',
  body: CheckBody,
  bodyOptional: true,
  problems: asked,
  prepare: async (input) => {
    const { text, seconds = 30, players } = input.body ?? {}
    const { defaults } = await loadLink(input.db, input.tournament)
    const words = text ?? (defaults.prompt === '' ? 'Are you ready?' : defaults.prompt)
    await ask(input, 'readyCheck', { players: lower(players), text: words, seconds })
  },
  run: answer,
})

const play = command({
  ...common,
  name: 'assistant.play',
  method: 'POST',
  path: `${ofMatchPath}/play`,
  summary: 'Start the song that everybody has loaded.',
  description: `Answered once everybody is seen in the song; a start is never sent twice. \`now\`: at once. \`held\`: all at once after \`delayMs\`. \`synced\`: so that all streams show the same moment, by the delays that are known. Refused with every reason against it (\`assistant.not_ready\`), of which \`ignore\` passes over some. ${whenHeld}`,
  body: PlayBody,
  bodyOptional: true,
  problems: {
    ...asked,
    ...unworthy,
    'assistant.not_ready': 409,
    'assistant.play_open': 409,
    'assistant.not_started': 504,
    'match.unknown': 404,
  },
  prepare: async (input) => {
    const { mode, delayMs = 0, players, ignore = [] } = input.body ?? {}
    const force = forceOf(input.body)
    const { defaults } = await loadLink(input.db, input.tournament)
    await ask(input, 'play', { mode: mode ?? defaults.playMode, delayMs, players: lower(players), ignore, force })
  },
  run: answer,
})

const doReturn = command({
  ...common,
  name: 'assistant.return',
  method: 'POST',
  path: `${ofMatchPath}/return`,
  summary: 'Send everybody back to the menu; a song that is broken off has no result.',
  description:
    'Answered once nobody is seen in a song any more. A result that comes of a broken-off song is not proposed.',
  problems: asked,
  prepare: (input) => ask(input, 'return', {}),
  run: answer,
})

const modify = command({
  ...common,
  name: 'assistant.modify',
  method: 'POST',
  path: `${ofMatchPath}/modify`,
  summary: 'Change how the song looks or is played, where the link allows it.',
  description: 'It is written in the audit list. While a song is played it needs `confirm`.',
  body: ModifyBody,
  problems: { ...asked, 'assistant.modify_off': 409, 'assistant.modify_unconfirmed': 409 },
  prepare: async (input) => {
    const { modifier, confirm = false } = input.body
    const { allowModify } = await loadLink(input.db, input.tournament)
    if (!allowModify) throw conflict('assistant.modify_off', 'The link of the tournament does not allow it.')
    await ask(input, 'modify', { modifier, confirm })
  },
  run: answer,
})

const syncColor = command({
  ...common,
  name: 'assistant.syncColor',
  method: 'POST',
  path: `${ofMatchPath}/sync-color`,
  summary: 'Show a colour in the players’ headsets, to see how late their streams are.',
  description:
    'Whoever watches the streams sees when it turns up in each, and tells the delays by `assistant.setDelays`.',
  body: ColorBody,
  problems: asked,
  prepare: (input) => ask(input, 'syncColor', { color: input.body.color, players: lower(input.body.players) }),
  run: answer,
})

const setDelays = command({
  ...common,
  name: 'assistant.setDelays',
  method: 'PUT',
  path: `${ofMatchPath}/delays`,
  summary: 'Say how late the players’ streams are, for this session.',
  description: 'In milliseconds, by the GUIDs of players. What is played in step (`synced`) needs them of everybody.',
  body: DelaysBody,
  problems,
  prepare: (input) =>
    ask(input, 'setDelays', { delays: input.body.map(({ user, delayMs }) => ({ user: user.toLowerCase(), delayMs })) }),
  run: answer,
})

const resync = command({
  ...common,
  name: 'assistant.resync',
  method: 'POST',
  path: `${ofMatchPath}/resync`,
  summary: 'Connect to the assistant anew, and look how things stand there.',
  description: 'A song that is played goes on. What is found is told by the session a moment later.',
  problems,
  prepare: (input) => ask(input, 'resync', {}),
  run: answer,
})

function lower(guids: readonly string[] | undefined): readonly string[] | null {
  return guids?.map((guid) => guid.toLowerCase()) ?? null
}

export const commandsOperations = [
  setPlayer,
  setMap,
  load,
  readyCheck,
  play,
  doReturn,
  modify,
  syncColor,
  setDelays,
  resync,
]

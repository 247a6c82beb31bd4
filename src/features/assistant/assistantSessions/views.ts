import { type Static, Type } from 'typebox'
import type { Actor } from '../../../core/actor.ts'
import type { Depends } from '../../../core/operation.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { playedTag, UserCard, userCard } from '../../people/users/views.ts'
import type { Play } from '../proposals/types.ts'
import type { Viewer } from './policy.ts'
import { controllerOf } from './rules/control.ts'
import { publicPhase } from './rules/live.ts'
import type { Control } from './store/operators.ts'
import type { AssistantSession } from './types.ts'

const Text = nullable(Type.String())
const Code = Type.String({ examples: ['assistant.timeout'] })

const SessionPlayerView = Type.Object(
  {
    user: Type.Optional(nullable(UserCard)),
    side: Type.Integer({ minimum: 1, maximum: 2 }),
    platformId: nullable(Type.String(), 'By which the player is found at the assistant; null where none is verified.'),
    connected: Type.Boolean(),
    playState: nullable(oneOf(['menu', 'waiting', 'game'])),
    downloadState: nullable(oneOf(['none', 'downloading', 'downloaded', 'error'])),
    load: Type.Object({ state: oneOf(['idle', 'loading', 'loaded', 'failed']), error: Text }),
    readyCheck: oneOf(['none', 'asked', 'ready', 'not_yet']),
    bannedMods: Type.Array(Type.String()),
    streamDelayMs: nullable(Type.Integer()),
  },
  { title: 'AssistantPlayer' },
)

const SessionMapView = Type.Object(
  {
    poolMapGuid: nullable(Guid),
    hash: Type.String(),
    characteristic: Type.String({ examples: ['Standard'] }),
    difficulty: Type.String({ examples: ['ExpertPlus'] }),
    name: Type.String(),
    modifiers: Type.Array(Type.String()),
  },
  { title: 'AssistantMap' },
)

const PlayView = Type.Object(
  {
    guid: Type.Optional(Guid),
    game: Type.Optional(Type.Integer()),
    run: Type.Optional(Type.Integer()),
    mode: Type.Optional(oneOf(['now', 'held', 'synced'])),
    startedAt: Instant,
    state: Type.Optional(oneOf(['sending', 'started', 'not_started', 'finished', 'aborted', 'uncertain'])),
  },
  { title: 'AssistantPlay', description: 'To the public, when it began alone.' },
)

export const AssistantSessionView = Type.Object(
  {
    phase: oneOf([
      ...([
        'idle',
        'players_missing',
        'ready',
        'loading',
        'loaded',
        'checking',
        'starting',
        'playing',
        'finished',
        'closed',
      ] as const),
    ]),
    map: nullable(SessionMapView, 'To the public, from the beginning of the song on.'),
    play: nullable(PlayView),
    players: Type.Optional(Type.Array(SessionPlayerView, { description: 'For staff; a player sees their own entry.' })),
    guid: Type.Optional(Guid),
    match: Type.Optional(Guid),
    openedBy: Type.Optional(nullable(UserCard)),
    openedAt: Type.Optional(Instant),
    closedAt: Type.Optional(nullable(Instant)),
    closeReason: Type.Optional(Text),
    status: Type.Optional(oneOf(['connecting', 'connected', 'reconnecting', 'failed', 'closed'])),
    controller: Type.Optional(nullable(Type.Object({ user: UserCard, since: Instant, until: Instant }))),
    others: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          platformId: Type.String(),
          clientType: nullable(oneOf(['player', 'socket', 'rest'])),
        }),
      ),
    ),
    warnings: Type.Optional(
      Type.Array(
        Type.Object(
          { guid: Guid, code: Type.String(), user: nullable(Guid), at: Instant },
          { title: 'AssistantWarning' },
        ),
      ),
    ),
    assistantMatch: Type.Optional(Text),
    lastPacketAt: Type.Optional(nullable(Instant)),
    lastError: Type.Optional(nullable(Type.Object({ code: Code, message: Type.String(), at: Instant }))),
    revision: Type.Optional(Type.Integer()),
  },
  { title: 'AssistantSession' },
)

export type AssistantSessionView = Static<typeof AssistantSessionView>

const orNull = (instant: Date | null) => (instant === null ? null : formatInstant(instant))
const open = new Set(['sending', 'started'])

/** The records that the view of a session needs. */
interface Beside {
  readonly viewer: Viewer
  readonly play: Play | undefined
  /** For staff: the controls by the GUID of their session. */
  readonly controls: ReadonlyMap<string, Control>
  /** For staff: users by GUID. */
  readonly users: ReadonlyMap<string, UserFacts>
}

/** GUIDs of the users whose names staff see in a session. */
export function shownUsers({ openedBy, state, controllerGuid }: AssistantSession): readonly string[] {
  const players = state.players.map(({ userGuid }) => userGuid)
  return [openedBy, ...players, ...(controllerGuid === null ? [] : [controllerGuid])]
}

/** A session for its viewer. */
export function assistantSessionView(
  session: AssistantSession,
  { viewer, play, controls, users }: Beside,
  { actor, now, depends }: { readonly actor: Actor; readonly now: Date; readonly depends?: Depends },
): AssistantSessionView {
  const { state } = session
  // A closed session has the phase `closed`, whatever its last phase was. (D75)
  const phase = session.closedAt === null ? session.phase : 'closed'
  depends?.(session.guid, session.matchGuid, session.tournamentGuid)
  if (viewer !== 'staff') {
    const shown = viewer === 'late' && phase !== 'closed' ? 'idle' : publicPhase(phase)
    const isShown = (shown === 'playing' || shown === 'finished') && play !== undefined
    const own = state.players.filter(({ userGuid }) => userGuid === actor.guid)
    return {
      phase: shown,
      map: isShown ? mapView(play.map) : null,
      play: isShown ? { startedAt: formatInstant(play.startedAt) } : null,
      ...(viewer === 'player'
        ? { players: own.map(({ userGuid: _self, mapped: _mapped, ...rest }) => copied(rest)) }
        : {}),
    }
  }
  const control = controllerOf(session, now) === null ? undefined : controls.get(session.guid)
  const controller = control?.stands === true ? session.controllerGuid : null
  depends?.(playedTag, ...shownUsers(session))
  // Control ends with the token by which it was taken, and expires without renewal. (D76)
  if (control !== undefined) depends?.(...control.tags)
  if (controller !== null && session.controllerUntil !== null) depends?.until(session.controllerUntil)
  const cardOf = (guid: string) => {
    const user = users.get(guid)
    return user === undefined ? null : userCard(user)
  }
  const controllerCard = controller === null ? null : cardOf(controller)
  const {
    guid,
    matchGuid: match,
    openedAt,
    closedAt,
    closeReason,
    status,
    assistantMatch,
    lastError,
    revision,
  } = session
  return {
    guid,
    match,
    openedBy: cardOf(session.openedBy),
    openedAt: formatInstant(openedAt),
    closedAt: orNull(closedAt),
    closeReason,
    status,
    phase,
    controller:
      controllerCard === null || session.controllerSince === null || session.controllerUntil === null
        ? null
        : {
            user: controllerCard,
            since: formatInstant(session.controllerSince),
            until: formatInstant(session.controllerUntil),
          },
    players: state.players.map(({ userGuid, mapped: _mapped, ...rest }) => ({
      user: cardOf(userGuid),
      ...copied(rest),
    })),
    others: [...state.others],
    map: state.map === null ? null : mapView(state.map),
    play: play !== undefined && (open.has(play.state) || phase === 'finished') ? playView(play) : null,
    warnings: [...state.warnings],
    assistantMatch,
    lastPacketAt: orNull(session.lastPacketAt),
    lastError,
    revision,
  }
}

function copied<T extends { readonly bannedMods: readonly string[] }>(player: T) {
  return { ...player, bannedMods: [...player.bannedMods] }
}

function mapView({
  poolMapGuid,
  hash,
  characteristic,
  difficulty,
  name,
  modifiers,
}: NonNullable<AssistantSession['state']['map']>) {
  return { poolMapGuid, hash, characteristic, difficulty, name, modifiers: [...modifiers] }
}

function playView({ guid, game, run, mode, startedAt, state }: Play) {
  return { guid, game, run, mode, startedAt: formatInstant(startedAt), state }
}

import { memo, useState } from 'react'
import type { AssistantPlayer, AssistantSession } from '../../../../../client/generated.ts'
import { ApiError } from '../../../data/api.ts'
import { useRead } from '../../../data/queries.ts'
import { useMay, useTournamentId } from '../../../data/tournament.ts'
import { type WordId, words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Control, useIsOwn } from '../../../parts/assistant/control.tsx'
import { sessionsAddress, tellSession } from '../../../parts/assistant/sessions.ts'
import { isAway, SessionState } from '../../../parts/assistant/state.tsx'
import { Danger } from '../../../parts/danger.tsx'
import { Failure } from '../../../parts/loaded.tsx'
import { Section } from '../../../parts/section.tsx'
import { State } from '../../../parts/state.tsx'
import styles from './cockpit.module.css'

interface Props {
  /** GUID. */
  readonly match: string
}

function useSession(match: string) {
  const tournament = useTournamentId()
  const may = useMay()
  const { data } = useRead(sessionsAddress(tournament), { live: true, enabled: may('assistant.listSessions') })
  return { isKnown: data !== undefined, session: data?.sessions.find((each) => each.match === match) }
}

/** The match assistant, to which the players' games are connected: the map is loaded and started through it. (AS4 to AS8) */
export const Assistant = memo(function Assistant({ match }: Props) {
  const { session } = useSession(match)
  const isOwn = useIsOwn(session)
  if (session === undefined) return null
  return (
    <Section title={words('manage.assistant')}>
      <div className={styles.assistant}>
        <SessionState session={session} hasPlayers />
        {isAway(session) && (
          <div className="notice notice-warning">
            <div>
              <p className="strong">{words('cockpit.assistant-lost')}</p>
              <p>{words('cockpit.assistant-lost-text')}</p>
            </div>
          </div>
        )}
        {isOwn && <Commands session={session} />}
        <Control session={session} />
        <Players of={session.players ?? []} isAsOf={isAway(session)} />
      </div>
    </Section>
  )
})

/** A session of the assistant can be opened while there is none. */
export const OpenAssistant = memo(function OpenAssistant({
  match,
  isRunning,
}: Props & { readonly isRunning: boolean }) {
  const may = useMay()
  const { isKnown, session } = useSession(match)
  return isKnown && session === undefined && isRunning && may('assistant.open') && <Opening match={match} />
})

function Opening({ match }: { readonly match: string }) {
  const tournament = useTournamentId()
  const open = useWrite('POST /tournaments/{tournament}/matches/{match}/assistant', (known, opened) =>
    tellSession(known, tournament, opened),
  )
  const send = () => void open.send({ params: { tournament, match } })
  return (
    <details>
      <summary className={styles.folded}>{words('manage.assistant')}</summary>
      <div className={styles.assistant}>
        <p className="muted">{words('cockpit.assistant-text')}</p>
        {open.error !== null && <Failure error={open.error} again={send} isTrying={open.isSending} />}
        <button type="button" className="btn" aria-disabled={open.isSending} onClick={send}>
          {words('cockpit.assistant-open')}
        </button>
      </div>
    </details>
  )
}

interface PlayersProps {
  readonly of: readonly AssistantPlayer[]
  /** Where they were before the assistant was lost. */
  readonly isAsOf: boolean
}

/** Where each player is, from the menu to the song; a list for each side. */
function Players({ of, isAsOf }: PlayersProps) {
  return (
    <div className={styles.sheets}>
      {[...Map.groupBy(of, ({ side }) => side)].map(([side, players]) => (
        <OfSide key={side} of={players} side={side} isAsOf={isAsOf} />
      ))}
    </div>
  )
}

function OfSide({ of, side, isAsOf }: PlayersProps & { readonly side: number }) {
  return (
    <ul className={`lines ${side === 1 ? styles.one : styles.other} ${styles.players}`}>
      {of.map((player) => {
        const { user, platformId, load } = player
        const [word, shape] = stateOf(player)
        return (
          <li key={user?.guid ?? platformId} className={styles.player}>
            <bdi>{user?.preferredName ?? platformId}</bdi>
            {isAsOf ? (
              <span className="muted">
                {words(word)}, {words('cockpit.assistant-known')}
              </span>
            ) : (
              <State shape={shape} tone={shape === 'problem' ? 'warning' : 'quiet'}>
                {words(word)}
              </State>
            )}
            {load.error !== null && <bdi className="small muted">{load.error}</bdi>}
          </li>
        )
      })}
    </ul>
  )
}

function stateOf(player: AssistantPlayer): readonly [WordId, 'problem' | 'waiting' | 'running' | 'done' | 'ready'] {
  const { platformId, connected, playState, downloadState, load, readyCheck } = player
  if (platformId === null) return ['cockpit.player-unlinked', 'problem']
  if (!connected) return ['cockpit.player-away', 'problem']
  if (playState === 'game') return ['cockpit.player-plays', 'running']
  if (load.state === 'failed' || downloadState === 'error') return ['cockpit.player-failed', 'problem']
  if (load.state === 'loading' || downloadState === 'downloading') return ['cockpit.player-loads', 'waiting']
  if (readyCheck === 'ready') return ['cockpit.player-ready', 'done']
  if (readyCheck === 'not_yet') return ['cockpit.player-not-yet', 'problem']
  if (readyCheck === 'asked') return ['cockpit.player-asked', 'waiting']
  if (load.state === 'loaded' || downloadState === 'downloaded') return ['cockpit.player-loaded', 'done']
  return ['cockpit.player-menu', 'ready']
}

interface Reason {
  readonly code: string
  readonly user: string | null
}

/** Without these there is nothing to start. */
const needed = new Set(['no_map', 'nobody', 'no_match'])

function Commands({ session }: { readonly session: AssistantSession }) {
  const { match = '', phase, map, status } = session
  const tournament = useTournamentId()
  const may = useMay()
  const params = { tournament, match }
  const path = '/tournaments/{tournament}/matches/{match}/assistant'
  const then = (known: Parameters<typeof tellSession>[0], changed: AssistantSession) =>
    tellSession(known, tournament, changed)
  const choose = useWrite(`PUT ${path}/map`, then)
  const load = useWrite(`POST ${path}/load`, then)
  const check = useWrite(`POST ${path}/ready-check`, then)
  const play = useWrite(`POST ${path}/play`, then)
  const back = useWrite(`POST ${path}/return`, then)
  const close = useWrite(`DELETE ${path}`, (known) =>
    known.change(sessionsAddress(tournament), ({ sessions }) => ({
      sessions: sessions.filter(({ guid }) => guid !== session.guid),
    })),
  )
  const all = [choose, load, check, play, back, close]
  const [asked, setAsked] = useState<'choose' | 'load' | 'check' | 'play' | 'close' | null>(null)
  const isSending = all.some((each) => each.isSending)
  const isInSong = phase === 'starting' || phase === 'playing'
  // Nothing reaches the games without the assistant; the session can be closed.
  const isOff = status !== 'connected'
  const next = map === null || phase === 'finished' ? 'choose' : phase === 'loaded' ? 'play' : 'load'
  const sends = {
    choose: () => choose.send({ params, body: { source: 'flow' } }),
    load: () => load.send({ params }),
    check: () => check.send({ params }),
    play: (ignore: readonly string[] = []) => play.send({ params, body: { ignore } }),
    close: () => close.send({ params }),
  }
  const press = (name: keyof typeof sends) => {
    for (const each of all) each.reset()
    setAsked(name)
    void sends[name]()
  }
  const button = (name: keyof typeof sends, operation: string, label: WordId, isEarly = false) =>
    may(operation) && (
      <button
        type="button"
        className={next === name && !isInSong && !isOff ? 'btn btn-primary' : 'btn'}
        aria-disabled={isSending || (name === 'close' ? isInSong && !isOff : isInSong || isOff || isEarly)}
        onClick={() => press(name)}
      >
        {words(label)}
      </button>
    )
  const refused = all.find(({ error }) => error !== null)?.error ?? null
  const isNotReady = refused instanceof ApiError && refused.code === 'assistant.not_ready'
  // What kept a song from starting says nothing once the assistant is away.
  const reasons = isNotReady && !isOff ? reasonsOf(refused) : []
  return (
    <>
      {reasons.length > 0 ? (
        <div className="notice notice-warning" role="alert">
          <div className="push">
            <p className="strong">{words('cockpit.assistant-not-ready')}</p>
            <ul>
              {reasons.map(({ code, user }) => (
                <li key={`${code} ${user}`}>
                  {reasonText(code)}
                  {user !== null && (
                    <>
                      {': '}
                      <bdi>{session.players?.find((each) => each.user?.guid === user)?.user?.preferredName}</bdi>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </div>
          {!reasons.some(({ code }) => needed.has(code)) && (
            <button
              type="button"
              className="btn"
              aria-disabled={isSending}
              onClick={() => void sends.play(reasons.map(({ code }) => code))}
            >
              {words('cockpit.assistant-anyway')}
            </button>
          )}
        </div>
      ) : (
        refused !== null &&
        !(isNotReady && isOff) &&
        asked !== null && <Failure error={refused} again={() => press(asked)} isTrying={isSending} />
      )}
      <div className="btns">
        {button('choose', 'assistant.setMap', 'cockpit.assistant-map')}
        {button('load', 'assistant.load', 'cockpit.assistant-load', map === null)}
        {button('check', 'assistant.readyCheck', 'cockpit.assistant-check', phase !== 'loaded')}
        {button('play', 'assistant.play', 'cockpit.assistant-play', map === null)}
        {isInSong && !isOff && may('assistant.return') && (
          <Danger
            label={words('cockpit.assistant-return')}
            title={words('cockpit.assistant-return-title')}
            error={back.error}
            isSending={back.isSending}
            act={() => back.send({ params })}
          >
            <p>{words('cockpit.assistant-return-text')}</p>
          </Danger>
        )}
        {button('close', 'assistant.close', 'cockpit.assistant-close')}
      </div>
    </>
  )
}

const reasonsOf = ({ data }: ApiError): readonly Reason[] =>
  (data as { readonly reasons?: readonly Reason[] }).reasons ?? []

const known = new Set([
  ...['no_map', 'nobody', 'no_match', 'player_missing', 'not_loaded', 'not_ready'],
  ...['banned_mod', 'other_map', 'other_leader', 'no_delay'],
])
/** Why a song is not started, in words; new reasons of the service have their own name. */
const reasonText = (code: string): string =>
  known.has(code) ? words(`cockpit.reason-${code}` as WordId) : code.replaceAll('_', ' ')

import type { ReactNode } from 'react'
import type { FlowStep } from '../../../../../client/generated.ts'
import { type WordId, words } from '../../../data/words.ts'
import { wholeOf } from '../../../parts/numbers.ts'
import { shareOf } from '../sheets.ts'
import { poolMap, titleOf, type View } from '../view.ts'
import { MapLine } from './map-line.tsx'
import styles from './own.module.css'
import type { Deed, Session } from './reader.ts'

/** What the state asks of a seat, and what may be answered. (match-flows: Log and state) */

export interface Option {
  readonly value: string
  /** As the button that sends it says it. */
  readonly text: string
  readonly label: ReactNode
  /** Why it cannot be chosen. */
  readonly taken?: string
}

export interface Ask {
  /** Choices are kept from one turn to the next that asks the same. */
  readonly key: string
  readonly title: string
  readonly hint?: ReactNode
  readonly options: readonly Option[]
  readonly isMap?: boolean
  /** How many are chosen. */
  readonly count: number
  /** What is chosen at first. */
  readonly first?: readonly string[]
  /** On the button. */
  readonly say: (text: string) => string
  readonly deed: (values: readonly string[]) => Deed
}

type Turn = NonNullable<Session['turn']>

/** @returns null where nothing is asked of the seat now */
export function askOf(view: View, session: Session, seat: number): Ask | null {
  const { turn, status, phase } = session
  if ((status !== 'running' && status !== 'paused') || turn === null || !turn.seats.includes(seat)) return null
  if (phase === 'window') return askOfWindow(view, session, turn, seat)
  if (turn.actor !== 'seats' || (phase !== 'choosing' && phase !== 'waiting')) return null
  switch (turn.action) {
    case 'protect':
    case 'ban':
    case 'pick':
      return askOfMap(view, session, turn, turn.action, seat)
    case 'flair_pick':
    case 'flair_ban':
      return askOfFlair(turn, turn.action, seat)
    case 'choose':
      return askOfPlace(session, turn, seat)
    case 'lineup':
      return askOfLineup(view, session, turn, seat)
    case 'ready':
    case 'break': {
      const { action } = turn
      const said = words(`own.do-${action}`)
      return {
        ...{ key: action, title: titleFor(turn), options: [], count: 0, say: () => said },
        deed: () => ({ kind: 'act', body: { action, seat } }),
      }
    }
    default:
      return null
  }
}

const titleFor = ({ action, label }: Turn): string => label ?? words(`own.turn-${action}` as WordId)

function askOfMap(view: View, session: Session, turn: Turn, action: 'protect' | 'ban' | 'pick', seat: number): Ask {
  const options = (session.pool?.maps ?? []).map((entry): Option => {
    const isLegal = turn.options.includes(entry.guid)
    return {
      value: entry.guid,
      text: titleOf(entry.map),
      label: <MapLine of={entry} />,
      ...(!isLegal && { taken: takenWords(view, session, entry.guid) }),
    }
  })
  return {
    ...{ key: action, title: titleFor(turn), options, count: 1, say: (map) => words(`own.do-${action}`, { map }) },
    isMap: true,
    ...(turn.secret && { hint: words('own.secret') }),
    deed: ([map = '']) => ({ kind: 'act', body: { action, seat, map } }),
  }
}

/** Why a map cannot be chosen, as far as the state tells it. */
function takenWords(view: View, session: Session, map: string): string {
  const found = session.maps.find((each) => each.map === map)
  const name = session.seats.find(({ seat }) => seat === found?.seat)?.name
  if (found === undefined || found.state === 'available')
    return words(poolMap(view, map)?.isTiebreaker ? 'own.taken-kept' : 'own.taken')
  const state = words(`choice.${found.state as 'banned'}` as WordId)
  return name === undefined ? state : words('play.chosen', { team: name, choice: state })
}

function askOfFlair(turn: Turn, action: 'flair_pick' | 'flair_ban', seat: number): Ask {
  const options = turn.options.map((name): Option => {
    const text = String(name)
    return { value: text, text, label: <bdi className="strong">{text}</bdi> }
  })
  return {
    ...{ key: action, title: titleFor(turn), options, count: 1, say: (flair) => words(`own.do-${action}`, { flair }) },
    deed: ([flair = '']) => ({ kind: 'act', body: { action, seat, flair } }),
  }
}

interface Block {
  readonly steps: readonly (FlowStep | Block)[]
}

/** The steps as they are written, one after the other; `path` counts them from 1. */
function stepAt({ steps }: Block, path: string): FlowStep | undefined {
  const [first = '', ...rest] = path.split('.')
  const step = steps[Number(first) - 1]
  if (step === undefined || 'action' in step) return step
  return stepAt(step, rest.join('.'))
}

const flat = ({ steps }: Block): readonly FlowStep[] =>
  steps.flatMap((step) => ('action' in step ? [step] : flat(step)))

function askOfPlace(session: Session, turn: Turn, seat: number): Ask {
  const { flow } = session
  const own = session.seats.find((each) => each.seat === seat)
  const named = flow === null ? null : stepAt(flow, turn.step)?.pair
  const pairs = named != null ? [named] : (flow?.pairs ?? []).filter((pair) => own?.places[pair] === undefined)
  const options = pairs.flatMap((pair) =>
    turn.options.map((place): Option => {
      const text = placeWords(pair, Number(place))
      const then = flow === null ? '' : orderWords(flat(flow), pair, Number(place))
      return {
        value: `${pair} ${place}`,
        text,
        label: (
          <span>
            <span className="strong">{text}</span>
            {then !== '' && <span className="muted">: {then}</span>}
          </span>
        ),
      }
    }),
  )
  return {
    ...{ key: `choose ${pairs}`, title: titleFor(turn), options, count: 1, say: (text) => text },
    deed: ([value = '']) => {
      const [pair = '', place] = value.split(' ')
      return { kind: 'act', body: { action: 'choose', seat, pair, place: place === '2' ? 2 : 1 } }
    },
  }
}

function placeWords(pair: string, place: number): string {
  const isKnown = pair === 'order' || pair === 'pick' || pair === 'ban'
  if (isKnown) return words(`own.place-${pair}-${place}` as WordId)
  return words('own.place-other', { pair, place })
}

/** What both sides do in their order, if the reader takes this place. */
function orderWords(steps: readonly FlowStep[], pair: string, place: number): string {
  const said = steps.flatMap(({ action, actor }) => {
    const [of, number] = actor[0]?.split(':') ?? []
    if (of !== pair || (action !== 'protect' && action !== 'ban' && action !== 'pick')) return []
    return [words(`own.${Number(number) === place ? 'you' : 'they'}-${action}`)]
  })
  return said.slice(0, 8).join(', ')
}

function askOfLineup(view: View, session: Session, turn: Turn, seat: number): Ask {
  // Where both sides are asked, the players of both can be named.
  const members = view.people.teams[seat - 1]?.members.map(({ user }) => user.guid)
  const users = turn.options.map(String).filter((user) => members?.includes(user) !== false)
  const size = Math.min(session.flow?.rules.map.players ?? users.length, users.length)
  const before = session.seats.find((each) => each.seat === seat)?.lineup?.filter((user) => user !== null) ?? []
  const options = users.map((value): Option => {
    const text = view.people.nameOf(value) ?? value
    return { value, text, label: <bdi className="strong">{text}</bdi> }
  })
  return {
    ...{
      key: 'lineup',
      title: titleFor(turn),
      options,
      count: size,
      say: (names) => words('own.do-lineup', { names }),
    },
    hint: words('own.lineup-size', { count: size }),
    first: (before.length > 0 ? before : users.slice(0, size)).filter((user) => users.includes(user)),
    deed: (chosen) => ({ kind: 'act', body: { action: 'lineup', seat, users: chosen } }),
  }
}

/** The scores are there: the side that does not hold the map accepts them, or has the map played again. */
function askOfWindow(view: View, session: Session, turn: Turn, seat: number): Ask {
  const own = session.seats.find((each) => each.seat === seat)
  const accept = words('own.accept')
  const options: Option[] = [{ value: 'accept', text: accept, label: <span className="strong">{accept}</span> }]
  for (const { user, name, left } of claimants(view, session, seat, own?.replaysLeft ?? 0)) {
    const text = name === null ? words('own.claim') : words('own.claim-for', { name })
    options.push({
      value: `claim ${user ?? ''}`,
      text,
      label: (
        <span>
          <span className="strong">{text}</span>{' '}
          <span className="muted">{words('own.claims-left', { count: left })}</span>
        </span>
      ),
      ...(left === 0 && { taken: words('own.none-left') }),
    })
  }
  return {
    hint: <Totals view={view} session={session} game={turn.game} />,
    ...{ key: `window ${turn.game}`, title: words('own.turn-window', { game: turn.game }), options, count: 1 },
    say: (text) => text,
    deed: ([value = '']) => {
      if (value === 'accept') return { kind: 'act', body: { action: 'accept', seat } }
      const user = value.slice('claim '.length)
      return { kind: 'claim', body: { seat, ...(user !== '' && { user }) } }
    },
  }
}

/** What is to be accepted: the map, and what each side made on it. */
function Totals({
  view,
  session,
  game,
}: {
  readonly view: View
  readonly session: Session
  readonly game: number | null
}) {
  const played = session.games.find((each) => each.game === game)
  const entry = poolMap(view, played?.map ?? null)
  const show = session.flow?.rules.map.by === 'accuracy' ? percentOf : wholeOf
  return (
    <>
      {entry !== undefined && <bdi className={styles.played}>{titleOf(entry.map)}</bdi>}
      {session.seats.map(({ seat, name }, index) => (
        <span key={seat} className={styles.total}>
          <bdi>{words('own.total', { team: name })}</bdi> <b className="num">{show(played?.totals[index] ?? 0)}</b>{' '}
        </span>
      ))}
    </>
  )
}

const percentOf = (share: number): string => words('own.percent', { share: shareOf(share) })

interface Claimant {
  readonly user: string | null
  readonly name: string | null
  readonly left: number
}

/** Who may claim a replay: the team, or each of the line-up. */
function claimants({ people }: View, session: Session, seat: number, left: number): readonly Claimant[] {
  const rules = session.flow?.rules.replays
  const lineup = session.seats.find((each) => each.seat === seat)?.lineup?.filter((user) => user !== null) ?? []
  if (rules?.by !== 'player' || lineup.length === 0) return [{ user: null, name: null, left }]
  return lineup.map((user) => {
    const used = session.claims.filter((claim) => claim.user === user && claim.status !== 'cancelled').length
    return { user, name: people.nameOf(user) ?? null, left: Math.min(left, Math.max(0, rules.perMatch - used)) }
  })
}

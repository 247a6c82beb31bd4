import { words } from '../../data/words.ts'
import styles from './flows.module.css'
import { isTimed, type Step, withAction } from './model.ts'
import { actorText, besidesOf, fromText, lateText, pairText, piecesOf, type Slot, timeText } from './sentences.ts'
import { Choosable } from './slot.tsx'

/** A step as a sentence whose parts are choosable: who, what, how many, from where, how long, and what else. */

export interface Around {
  readonly seats: number
  /** Orders that the flow has. */
  readonly pairs: readonly string[]
  /** Categories of the tournament's maps. */
  readonly flairs: readonly string[]
}

interface Props {
  readonly step: Step
  readonly number: string
  readonly around: Around
  readonly isInEach: boolean
  readonly change: (step: Step) => void
}

const actions: readonly Step['action'][] = [
  ...(['ban', 'pick', 'play', 'protect', 'roll', 'choose', 'random', 'tiebreaker'] as const),
  ...(['lineup', 'flair_pick', 'flair_ban', 'ready', 'break'] as const),
]

/** Who may act, the most used first. */
export function actorsOf({ seats, pairs }: Around, isInEach: boolean, action: Step['action']): readonly string[] {
  if (action === 'roll') return ['system', 'referee']
  const together = ['protect', 'ban', 'lineup', 'ready', 'break'].includes(action) ? ['all'] : []
  const known = seats === 2 ? [...new Set(['order', ...pairs, 'pick', 'ban'])] : []
  return [
    ...(isInEach ? ['it'] : []),
    ...['higherSeed', 'lowerSeed', 'rollWinner', 'rollLoser'],
    ...known.flatMap((pair) => [`${pair}:1`, `${pair}:2`]),
    ...['lastMapLoser', 'lastMapWinner', 'leader', 'trailer'],
    ...together,
    ...Array.from({ length: seats }, (_, index) => `seat:${index + 1}`),
    'referee',
    ...(action === 'lineup' || action === 'ready' ? [] : ['system']),
  ]
}

const times = [null, 15, 30, 45, 60, 90, 120, 180, 300, 600] as const

type Late = Step['onTimeout'][number]
const lates: Partial<Record<Step['action'], readonly Late[]>> = {
  choose: ['random', 'hold'],
  lineup: ['hold', 'lose_map'],
  ready: ['proceed', 'lose_map', 'hold'],
  break: ['proceed'],
  pick: ['opponent', 'random', 'hold'],
}
const usualLates: readonly Late[] = ['skip', 'random', 'opponent', 'forfeit', 'hold']

export function latesOf({ action }: Step, seats: number): readonly (readonly Late[])[] {
  const found = (lates[action] ?? usualLates).filter(
    (late) => seats === 2 || (late !== 'opponent' && late !== 'lose_map'),
  )
  return [...found.map((late) => [late]), ...found.map((late) => ['again' as const, late])]
}

function optionsOf(step: Step, slot: Slot, { around, isInEach }: Props): readonly (readonly [string, string])[] {
  switch (slot) {
    case 'does':
      return actions.map((action) => [action, words(`flows.action-${action}`)])
    case 'who': {
      if (step.action === 'roll')
        return [
          ['system', words('flows.roll-system')],
          ['referee', words('flows.roll-referee')],
        ]
      return actorsOf(around, isInEach, step.action).map((name) => [name, actorText(name)])
    }
    case 'count':
      return Array.from({ length: 10 }, (_, index) => [`${index + 1}`, words('flows.count', { count: index + 1 })])
    case 'from':
      return [
        plainFrom,
        { ...plainFrom, tiebreakers: true },
        ...around.flairs.map((flair) => ({ ...plainFrom, flairs: [flair] })),
      ].map((from) => [JSON.stringify(from), fromText(from)])
    case 'pair':
      return [...new Set(['order', 'pick', 'ban', ...around.pairs]), ''].map((pair) => [
        pair,
        pairText(pair === '' ? null : pair),
      ])
    case 'source':
      return (['last_left', 'flagged'] as const).map((source) => [source, words(`flows.source-${source}`)])
  }
}

const plainFrom: Step['from'] = { flairs: null, exceptFlairs: [], tiebreakers: false }

function chosenIn(step: Step, slot: Slot): string {
  switch (slot) {
    case 'does':
      return step.action
    case 'who':
      return step.actor.join(' ')
    case 'count':
      return `${step.times}`
    case 'from': {
      const { flairs, exceptFlairs, tiebreakers } = step.from
      return JSON.stringify({ flairs, exceptFlairs, tiebreakers })
    }
    case 'pair':
      return step.pair ?? ''
    case 'source':
      return step.source ?? 'flagged'
  }
}

function withValue(step: Step, slot: Slot, value: string): Step {
  switch (slot) {
    case 'does':
      return withAction(step, value as Step['action'])
    case 'who': {
      const actor = value.split(' ')
      return { ...step, actor, secret: step.secret && actor.includes('all') }
    }
    case 'count':
      return { ...step, times: Number(value) }
    case 'from':
      return { ...step, from: JSON.parse(value) as Step['from'] }
    case 'pair':
      return { ...step, pair: value === '' ? null : value }
    case 'source':
      return { ...step, source: value as 'flagged' | 'last_left' }
  }
}

export function StepLine(props: Props) {
  const { step, number, around, change } = props
  const others = besidesOf({ ...step, seconds: null })
  return (
    <div className={styles.sentence}>
      <p>
        {piecesOf(step).map((piece, at) =>
          typeof piece === 'string' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence have no names
            <span key={at}>{piece}</span>
          ) : (
            <Choosable
              key={piece.slot}
              label={words(`flows.slot-${piece.slot}`, { number })}
              text={piece.text}
              value={chosenIn(step, piece.slot)}
              options={optionsOf(step, piece.slot, props)}
              choose={(value) => change(withValue(step, piece.slot, value))}
            />
          ),
        )}
      </p>
      <p className={styles.besides}>
        {isTimed(step) && (
          <span>
            <Choosable
              label={words('flows.slot-time', { number })}
              text={
                step.seconds === null
                  ? words('flows.time-none')
                  : words('flows.within', { time: timeText(step.seconds) })
              }
              value={`${step.seconds ?? ''}`}
              options={times.map((time) => [`${time ?? ''}`, timeText(time)])}
              choose={(time) => change({ ...step, seconds: time === '' ? null : Number(time) })}
              isQuiet={step.seconds === null}
            />
            {step.seconds !== null && (
              <>
                {words('flows.or-else')}
                <Choosable
                  label={words('flows.slot-late', { number })}
                  text={lateText(step.onTimeout)}
                  value={step.onTimeout.join(' ')}
                  options={latesOf(step, around.seats).map((late) => [late.join(' '), lateText(late)])}
                  choose={(late) => change({ ...step, onTimeout: late.split(' ') as Step['onTimeout'] })}
                />
              </>
            )}
          </span>
        )}
        {others.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
    </div>
  )
}

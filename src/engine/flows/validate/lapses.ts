import type { Action, Flow, LapsePolicy, Step } from '../flow.ts'
import type { Findings } from './types.ts'

/** What may happen when the time of a step is over. (match-flows: Flow, onTimeout) */

const choices: ReadonlySet<Action> = new Set(['choose', 'protect', 'ban', 'pick', 'flair_pick', 'flair_ban'])
const byEverybody: ReadonlySet<Action> = new Set(['lineup', 'ready'])

const possible: Readonly<Record<LapsePolicy, (action: Action) => boolean>> = {
  again: (action) => choices.has(action) || byEverybody.has(action),
  skip: (action) => choices.has(action) || byEverybody.has(action),
  random: (action) => choices.has(action),
  opponent: (action) => choices.has(action),
  forfeit: (action) => choices.has(action) || byEverybody.has(action),
  lose_map: (action) => byEverybody.has(action),
  proceed: (action) => action === 'ready' || action === 'break',
  hold: (action) => choices.has(action) || byEverybody.has(action) || action === 'break',
}

const ofTwo: ReadonlySet<LapsePolicy> = new Set(['opponent', 'lose_map'])

/** Reports the lapse policies that the step cannot have. */
export function checkLapses({ seats }: Pick<Flow, 'seats'>, step: Step, path: string, findings: Findings): void {
  const add = (message: string) => findings.add('flow.timeout_impossible', path, message)
  for (const policy of step.onTimeout) {
    if (ofTwo.has(policy) && seats !== 2)
      add(`“${policy}” is for two seats, and the flow has ${seats}; choose another.`)
    else if (!possible[policy](step.action)) add(`A step “${step.action}” cannot lapse by “${policy}”; choose another.`)
  }
  if (step.onTimeout.at(-1) === 'again') add('“again” would go on for ever; name last what happens in the end.')
  if (step.action === 'break' && step.seconds === null) add('A break without seconds has no end; say how long it is.')
  if (step.actor.includes('all') && step.onTimeout.includes('opponent')) {
    add('Of a step of “all” nobody is the opponent; choose another.')
  }
}

/** Whether the step may lapse without its action. */
export function mayLapse({ seconds, onTimeout }: Step): boolean {
  return seconds !== null && (onTimeout.includes('skip') || onTimeout.includes('forfeit'))
}

export function mayForfeit({ seconds, onTimeout }: Step): boolean {
  return seconds !== null && onTimeout.includes('forfeit')
}

export function mayGoToOpponent({ seconds, onTimeout }: Step): boolean {
  return seconds !== null && onTimeout.includes('opponent')
}

/** The most seconds of one turn, with the clocks that start again. */
export function secondsOf({ seconds, onTimeout }: Step): number {
  if (seconds === null) return 0
  const agains = onTimeout.filter((policy) => policy === 'again').length
  return seconds * (1 + agains + (onTimeout.includes('opponent') ? 1 : 0))
}

import type { DivisionWithBrackets, FlowPlan } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { type Read, useRead } from '../../data/queries.ts'
import { useDivisions, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import styles from './flows.module.css'

/** Which divisions, brackets, rounds and matches a flow is planned for. (match-flows: Plan) */

export const planAddress = (tournament: string) => address('/tournaments/{tournament}/flow-plan', { tournament })

export function usePlan(): Read<FlowPlan> {
  return useRead(planAddress(useTournamentId()), { live: true })
}

function usesOf(flow: string, plan: FlowPlan, divisions: readonly DivisionWithBrackets[]): readonly string[] {
  const named = new Map(
    divisions.flatMap(({ name: division, brackets }) =>
      brackets.map(
        (bracket) =>
          [
            bracket.guid,
            { ...bracket, said: words('flows.use-bracket', { division, bracket: bracket.name }) },
          ] as const,
      ),
    ),
  )
  const matches = plan.matches.filter(({ flowGuid }) => flowGuid === flow).length
  return [
    ...(plan.default === flow ? [words('flows.use-default')] : []),
    ...plan.brackets.flatMap(({ bracketGuid, flowGuid, rounds }) => {
      const found = named.get(bracketGuid)
      const bracket = found?.said ?? words('flows.use-gone')
      const roundOf = (key: string) =>
        found?.rounds.find(({ section, number }) => `${section}:${number}` === key)?.name ?? key
      const own = Object.entries(rounds).filter(([, each]) => each === flow)
      return [
        ...(flowGuid === flow ? [bracket] : []),
        ...own.map(([key]) => words('flows.use-round', { bracket, round: roundOf(key) })),
      ]
    }),
    ...(matches === 0 ? [] : [words('flows.use-matches', { count: matches })]),
  ]
}

/** @param isShort says nothing of what is used nowhere */
export function Uses({ of, isShort = false }: { readonly of: string; readonly isShort?: boolean }) {
  const plan = usePlan()
  const divisions = useDivisions()
  if (plan.data === undefined || divisions.data === undefined) return null
  const uses = usesOf(of, plan.data, divisions.data)
  if (uses.length === 0 && isShort) return null
  if (uses.length === 0) return <span className="muted">{words('flows.unused')}</span>
  return (
    <ul className={styles.uses}>
      {uses.map((use) => (
        <li key={use}>
          <bdi>{use}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Matches that are being played by the flow: a change does not reach them. */
export function Running({ of }: { readonly of: string }) {
  const tournament = useTournamentId()
  const { data } = useRead(
    address('/tournaments/{tournament}/flow-sessions', { tournament }, { status: 'running,paused', free: false }),
  )
  const count = data?.sessions.filter(({ flow }) => flow.guid === of).length ?? 0
  return <p className="muted">{words('flows.running', { count })}</p>
}

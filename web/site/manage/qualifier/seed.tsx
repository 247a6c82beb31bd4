import { useState } from 'react'
import type { DecidedTie, Qualifier, QualifierStandings, TeamReference } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import type { QualifierSeeding } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Failure } from '../../parts/loaded.tsx'
import { decimalOf, percentOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { TeamLink } from '../../parts/team.tsx'
import { boardAddress } from '../map-reads.ts'
import styles from './qualifier.module.css'
import { Ties } from './ties.tsx'

/** The best teams become seeds: first shown, with what decides between equals, then written in one step. (W19) */

/** How a tie for the last places is decided. */
export interface Decision {
  readonly order?: readonly string[]
  readonly reason?: string
  readonly draw?: boolean
}

export interface Undecided {
  readonly ties: readonly Omit<DecidedTie, 'decidedBy'>[]
  readonly commitment: string
}

const usual = 16

/** Methods whose value is a share. */
const shares: readonly Qualifier['method'][] = ['average_accuracy', 'top_players']

export function Seeding({ qualifier }: { readonly qualifier: Qualifier }) {
  const tournament = useTournamentId()
  const capacity = useTournament().data?.capacity
  const standings = useRead(boardAddress(tournament), { live: true })
  const [size, setSize] = useState(String(qualifier.cutoff ?? capacity ?? usual))
  const [preview, setPreview] = useState<QualifierSeeding | null>(null)
  const [decision, setDecision] = useState<Decision>({})
  const [isAsking, setAsking] = useState(false)
  const look = useWrite('POST /tournaments/{tournament}/qualifier/seed', (_known, reply) => setPreview(reply))
  const write = useWrite('POST /tournaments/{tournament}/qualifier/seed', (known, reply) => {
    setPreview(reply)
    setAsking(false)
    known.renew(`/tournaments/${tournament}`)
  })
  const params = { tournament }
  const ask = (decided: Decision) => {
    setDecision(decided)
    setPreview(null)
    write.reset()
    void look.send({ params, query: { dryRun: true }, body: { size: Number(size), ...decided } })
  }
  const { error } = look
  const undecided =
    error instanceof ApiError && error.code === 'tie.undecided' ? (error.data as unknown as Undecided) : null
  const mayWrite = qualifier.status === 'closed' || qualifier.status === 'final'
  return (
    <Section title={words('ledger.seeds')}>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          ask({})
        }}
      >
        <label className="field">
          <span className="strong">{words('ledger.size')}</span>
          <input
            className="in num"
            type="number"
            min={1}
            max={512}
            step={1}
            required
            value={size}
            onChange={({ target }) => {
              setSize(target.value)
              setPreview(null)
            }}
          />
        </label>
        <button type="submit" className="btn" aria-disabled={look.isSending || size === ''}>
          {words('ledger.preview')}
        </button>
        <span role="status" className="muted">
          {look.isSending ? words('ledger.reckoning') : mayWrite ? '' : words('ledger.closed-first')}
        </span>
      </form>
      {error !== null && undecided === null && (
        <Failure error={error} again={() => ask(decision)} isTrying={look.isSending} />
      )}
      {undecided !== null && <Ties key={undecided.commitment} of={undecided} decide={ask} />}
      {preview !== null && (
        <>
          <p role="status" className={styles.line}>
            <State shape={preview.dryRun ? 'waiting' : 'done'}>
              {words(preview.dryRun ? 'ledger.preview-of' : 'ledger.written', {
                teams: preview.teams.length,
                changes: preview.changes.length,
              })}
            </State>
          </p>
          <SeedTable of={preview} standings={standings.data} qualifier={qualifier} />
          {preview.dryRun && mayWrite && (
            <div className="btns">
              <button
                type="button"
                className="btn btn-primary"
                aria-disabled={preview.changes.length === 0 && preview.ties === undefined}
                onClick={() => setAsking(true)}
              >
                {words('ledger.write')}…
              </button>
              {preview.changes.length === 0 && <span className="muted">{words('ledger.as-it-is')}</span>}
            </div>
          )}
        </>
      )}
      {isAsking && preview !== null && (
        <Dialog title={words('ledger.write-title')} close={() => setAsking(false)}>
          <Form error={write.error} onSubmit={() => write.send({ params, body: { size: Number(size), ...decision } })}>
            <Effects of={preview} />
            <div className="btns">
              <button type="submit" className="btn btn-primary" aria-disabled={write.isSending}>
                {words('ledger.write')}
              </button>
              <button type="button" className="btn" onClick={() => setAsking(false)}>
                {words('danger.cancel')}
              </button>
            </div>
          </Form>
        </Dialog>
      )}
    </Section>
  )
}

/** In numbers, what writing does. */
function Effects({ of: { changes, teams, ties } }: { readonly of: QualifierSeeding }) {
  const qualify = changes.filter(({ before, after }) => before.status !== 'qualified' && after.status === 'qualified')
  const leave = changes.filter(({ before, after }) => before.status === 'qualified' && after.status !== 'qualified')
  const brackets = new Set(leave.flatMap(({ leaves = [] }) => leaves.map(({ name }) => name)))
  return (
    <ul className="lines">
      <li>{words('ledger.effect-qualify', { count: qualify.length })}</li>
      <li>{words('ledger.effect-seeds', { count: teams.length })}</li>
      {leave.length > 0 && (
        <li>
          {words('ledger.effect-leave', { names: leave.map(({ team }) => team.name).join(', '), count: leave.length })}
        </li>
      )}
      {brackets.size > 0 && <li>{words('ledger.effect-brackets', { names: [...brackets].join(', ') })}</li>}
      {ties?.some(({ decidedBy }) => decidedBy === 'draw') && <li>{words('ledger.effect-draw')}</li>}
    </ul>
  )
}

interface TableProps {
  readonly of: QualifierSeeding
  readonly standings: QualifierStandings | undefined
  readonly qualifier: Qualifier
}

function SeedTable({ of: { teams, changes, ties = [] }, standings, qualifier }: TableProps) {
  const tournament = useTournamentId()
  const changeOf = new Map(changes.map((change) => [change.team.guid, change]))
  const rowOf = new Map(standings?.overallTeamStandings.map((row) => [row.team.guid, row]))
  const left = changes.filter(({ after }) => after.status !== 'qualified')
  const isDecided = (team: TeamReference) => ties.find((tie) => tie.teams.some(({ guid }) => guid === team.guid))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too
    <section className="wide-content" tabIndex={0} aria-label={words('ledger.seed-rows')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="n narrow">
              {words('ledger.seed')}
            </th>
            <th scope="col">{words('standings.team')}</th>
            <th scope="col" className="n narrow">
              {words(`method.${qualifier.method}`)}
            </th>
            <th scope="col">{words('ledger.decided')}</th>
            <th scope="col">{words('ledger.change')}</th>
          </tr>
        </thead>
        <tbody>
          {teams.map(({ seed, rank, value, team }) => {
            const row = rowOf.get(team.guid)
            const tie = isDecided(team)
            return (
              <tr key={team.guid}>
                <td className="n strong">{seed}</td>
                <th scope="row">
                  <TeamLink team={team} tournament={tournament} />
                </th>
                <td className="n">{shares.includes(qualifier.method) ? percentOf(value) : decimalOf(value)}</td>
                <td className="muted">
                  {tie !== undefined
                    ? words(`ledger.by-${tie.decidedBy}`, { rank })
                    : row?.decidedBy == null
                      ? words(rank === 1 && seed === 1 ? 'ledger.by-first' : 'ledger.by-registration', { rank })
                      : words(`ledger.by-${row.decidedBy}`)}
                </td>
                <td>
                  <ChangeOf of={changeOf.get(team.guid)} />
                </td>
              </tr>
            )
          })}
          {left.map((change) => (
            <tr key={change.team.guid}>
              <td className="n">–</td>
              <th scope="row">
                <TeamLink team={change.team} tournament={tournament} />
              </th>
              <td className="n">–</td>
              <td />
              <td>
                <ChangeOf of={change} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ChangeOf({ of }: { readonly of: QualifierSeeding['changes'][number] | undefined }) {
  if (of === undefined) return <span className="muted">{words('ledger.unchanged')}</span>
  const { before, after, leaves = [] } = of
  if (after.status !== 'qualified') {
    return (
      <State shape="problem" tone="warning">
        {words('ledger.goes', { brackets: leaves.map(({ name }) => name).join(', '), count: leaves.length })}
      </State>
    )
  }
  if (before.status !== 'qualified') return <State shape="done">{words('ledger.goes-on')}</State>
  return <span>{words('ledger.was-seed', { seed: before.seed ?? 0 })}</span>
}

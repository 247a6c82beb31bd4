import { Link, useNavigate } from '@tanstack/react-router'
import type { Flow } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { FlowPreset } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import styles from './flows.module.css'
import { partsOf } from './model.ts'
import { PlanForm } from './plan-form.tsx'
import { digestOf } from './sentences.ts'
import { Sentences } from './sentences-list.tsx'
import { Uses } from './usage.tsx'

/** How matches choose and play their maps: the flows of the tournament, what each is for, and known ones to begin with. */

export const flowsAddress = (tournament: string) => address('/tournaments/{tournament}/flows', { tournament })
export const flowAddress = (tournament: string, flow: string) =>
  address('/tournaments/{tournament}/flows/{flow}', { tournament, flow })

export function ManageFlows() {
  const tournament = useTournamentId()
  const { data } = useTournament()
  const may = useMay()
  const flows = useRead(flowsAddress(tournament), { live: true })
  const presets = useRead(address('/flow-presets', {}))
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.flows')} · ${data?.name ?? ''}`}>{words('manage.flows')}</h1>
          <p className={styles.text}>{words('flows.intro')}</p>
        </div>
      </div>
      <Section title={words('flows.own')}>
        <Loaded of={flows}>{(all) => <Own flows={all} />}</Loaded>
      </Section>
      {may('flowPlans.replace') && (
        <Section title={words('flows.plan')}>
          <Loaded of={flows}>
            {(all) => <Loaded of={presets}>{(known) => <PlanForm flows={all} presets={known} />}</Loaded>}
          </Loaded>
        </Section>
      )}
      <Section title={words('flows.presets')}>
        <p className={`muted ${styles.text}`}>{words('flows.presets-text')}</p>
        <Loaded of={presets} rows={8}>
          {(all) => (
            <ul className="lines">
              {all.map((preset) => (
                <Preset key={preset.name} preset={preset} />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
    </div>
  )
}

function Own({ flows }: { readonly flows: readonly Flow[] }) {
  const tournament = useTournamentId()
  const may = useMay()
  if (flows.length === 0) return <Empty>{words(may('flows.create') ? 'flows.none' : 'flows.none-yet')}</Empty>
  return (
    <ul className="lines">
      {flows.map(({ guid, name, bestOf, steps, problems }) => {
        const errors = problems.filter(({ severity }) => severity === 'error').length
        return (
          <li key={guid} className={styles.flow}>
            <div>
              <Link to="/manage/$tournament/flows/$flow" params={{ tournament, flow: guid }} className="strong">
                <bdi>{name}</bdi>
              </Link>
              <p className="muted">{[bestText(bestOf), digestOf(partsOf({ steps }))].join(' · ')}</p>
            </div>
            <Uses of={guid} />
            {problems.length > 0 && (
              <State shape="problem" tone={errors > 0 ? 'alert' : 'warning'}>
                {words('flows.findings', { count: problems.length })}
              </State>
            )}
          </li>
        )
      })}
    </ul>
  )
}

export const bestText = (bestOf: number | null) =>
  bestOf === null ? words('flows.best-any') : words('flows.best', { games: bestOf })

function Preset({ preset }: { readonly preset: FlowPreset }) {
  const { name, title, bestOf, maps, mapsBeyondBestOf } = preset
  const tournament = useTournamentId()
  const navigate = useNavigate()
  const may = useMay()
  const make = useWrite('POST /tournaments/{tournament}/flows', (known, flow) => {
    known.change(flowsAddress(tournament), (flows) => [...flows, flow])
    known.put(flowAddress(tournament, flow.guid), flow)
    void navigate({ to: '/manage/$tournament/flows/$flow', params: { tournament, flow: flow.guid } })
  })
  const needs =
    maps === null
      ? words('flows.needs-beyond', { count: mapsBeyondBestOf ?? 0 })
      : words('flows.needs', { count: maps })
  return (
    <li className={styles.preset}>
      <div>
        <h3>{title}</h3>
        <p className="muted">{[bestText(bestOf), needs, digestOf(partsOf(preset))].join(' · ')}</p>
        <Uses of={name} isShort />
        <details>
          <summary>
            {words('flows.steps')}
            <span className="unseen"> {title}</span>
          </summary>
          <Sentences parts={partsOf(preset)} />
        </details>
        {make.error !== null && <Failure error={make.error} again={make.again} isTrying={make.isSending} />}
      </div>
      {may('flows.create') && (
        <button
          type="button"
          className="btn"
          aria-disabled={make.isSending}
          onClick={() => void make.send({ params: { tournament }, body: { name: title, basedOn: name } })}
        >
          {words('flows.take')}
          <span className="unseen"> {title}</span>
        </button>
      )}
    </li>
  )
}

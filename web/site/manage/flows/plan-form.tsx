import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import type { DivisionWithBrackets, Flow, FlowPlan } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import type { FlowPreset } from '../../data/generated.ts'
import { useDivisions, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { SelectField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { type FormState, useForm } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/loaded.tsx'
import manage from '../manage.module.css'
import { SaveBar } from '../save-bar.tsx'
import styles from './flows.module.css'
import { planAddress, usePlan } from './usage.tsx'

/** By which flow each bracket and round is played; what has none of its own is played by what it belongs to. */

/** The flow, or none, of the tournament (`all`), of a bracket by its GUID, and of its rounds by GUID and round. */
type Planned = Readonly<Record<string, string>>
type Options = readonly (readonly [value: string, text: string])[]

interface Props {
  readonly flows: readonly Flow[]
  readonly presets: readonly FlowPreset[]
}

export function PlanForm(props: Props) {
  const plan = usePlan()
  const divisions = useDivisions()
  return (
    <Loaded of={plan}>
      {(found) => <Loaded of={divisions}>{(all) => <OfPlan {...props} plan={found} divisions={all} />}</Loaded>}
    </Loaded>
  )
}

const keyOf = (bracket: string, round: string) => `${bracket} ${round}`

function plannedOf(plan: FlowPlan, divisions: readonly DivisionWithBrackets[]): Planned {
  const brackets = divisions.flatMap((division) => division.brackets)
  const planned = new Map(plan.brackets.map((each) => [each.bracketGuid, each]))
  return Object.fromEntries([
    ['all', plan.default ?? ''],
    ...brackets.flatMap(({ guid, rounds }) => {
      const own = planned.get(guid)
      const keys = new Set([
        ...rounds.map(({ section, number }) => `${section}:${number}`),
        ...Object.keys(own?.rounds ?? {}),
      ])
      return [
        [guid, own?.flowGuid ?? ''],
        ...[...keys].map((key) => [keyOf(guid, key), own?.rounds[key] ?? ''] as const),
      ]
    }),
  ])
}

function OfPlan({
  flows,
  presets,
  plan,
  divisions,
}: Props & { readonly plan: FlowPlan; readonly divisions: readonly DivisionWithBrackets[] }) {
  const tournament = useTournamentId()
  const cache = useQueryClient()
  const form = useForm<Planned>({ key: `flow-plan-${tournament}`, saved: plannedOf(plan, divisions) })
  const save = useWrite('PUT /tournaments/{tournament}/flow-plan', (known, saved) => {
    form.take()
    known.put(planAddress(tournament), saved)
  })
  const { error } = save
  useLayoutEffect(() => {
    if (error instanceof ApiError && error.data.plan !== undefined)
      cache.setQueryData([planAddress(tournament)], error.data.plan)
  }, [error, cache, tournament])
  const named: Options = [
    ...flows.filter(({ seats }) => seats === 2).map(({ guid, name }) => [guid, name] as const),
    ...presets
      .filter(({ seats }) => seats === 2)
      .map(({ name, title }) => [name, words('flows.preset', { name: title })] as const),
  ]
  const of = (key: string) => form.values[key] || null
  const submit = () =>
    save.send({
      params: { tournament },
      body: {
        revision: plan.revision,
        default: of('all'),
        matches: plan.matches,
        brackets: divisions.flatMap(({ brackets }) =>
          brackets.flatMap(({ guid }) => {
            const rounds = Object.keys(form.values).flatMap((key) => {
              const flow = key.startsWith(`${guid} `) ? of(key) : null
              return flow === null ? [] : [[key.slice(guid.length + 1), flow] as const]
            })
            const flowGuid = of(guid)
            return flowGuid === null && rounds.length === 0
              ? []
              : [{ bracketGuid: guid, flowGuid, rounds: Object.fromEntries(rounds) }]
          }),
        ),
      },
    })
  const isStale = error instanceof ApiError && error.code === 'flow_plan.stale'
  return (
    <Form
      error={error}
      say={({ message }) => (isStale ? words('settings.stale') : message)}
      isChanged={form.isChanged}
      onSubmit={submit}
    >
      <p className={`muted ${styles.text}`}>{words('flows.plan-text')}</p>
      <div className={manage.fields}>
        <SelectField
          form={form}
          name="all"
          label={words('flows.plan-all')}
          options={[['', words('flows.plan-none')], ...named]}
        />
      </div>
      {divisions.map((division) => (
        <Division key={division.guid} division={division} form={form} named={named} isOnly={divisions.length === 1} />
      ))}
      {form.isChanged || save.isDone ? <SaveBar form={form} isSending={save.isSending} isDone={save.isDone} /> : null}
    </Form>
  )
}

interface DivisionProps {
  readonly division: DivisionWithBrackets
  readonly form: FormState<Planned>
  readonly named: Options
  readonly isOnly: boolean
}

function Division({ division: { name, brackets }, form, named, isOnly }: DivisionProps) {
  return brackets.map((bracket) => {
    const { guid, rounds } = bracket
    const said = isOnly ? bracket.name : words('flows.use-bracket', { division: name, bracket: bracket.name })
    const own = rounds.filter(
      ({ section, number }) => (form.values[keyOf(guid, `${section}:${number}`)] ?? '') !== '',
    ).length
    return (
      <div key={guid} className={styles.bracket}>
        <SelectField form={form} name={guid} label={said} options={[['', words('flows.plan-as-all')], ...named]} />
        {rounds.length > 0 && (
          <details open={own > 0}>
            <summary>
              {words('flows.plan-rounds', { count: own })}
              <span className="unseen"> {said}</span>
            </summary>
            <div className={manage.fields}>
              {rounds.map(({ section, number, name: round }) => (
                <SelectField
                  key={`${section}:${number}`}
                  form={form}
                  name={keyOf(guid, `${section}:${number}`)}
                  label={round}
                  options={[['', words('flows.plan-as-bracket')], ...named]}
                />
              ))}
            </div>
          </details>
        )}
      </div>
    )
  })
}

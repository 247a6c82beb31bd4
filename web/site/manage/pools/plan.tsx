import type { Pool } from '../../../../client/generated.ts'
import type { PoolPlan } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useDivisions, useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { SelectField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './pools.module.css'
import { bracketName, planAddress } from './uses.ts'

/** Which pool the matches of each division and round are played with. */

type Values = Readonly<Record<string, string>>

export function PoolPlanSection({ pools }: { readonly pools: readonly Pool[] }) {
  const may = useMay()
  const read = useRead(planAddress(useTournamentId()), { live: true })
  if (!may('plans.replace')) return null
  return (
    <Section title={words('poolers.plan-title')}>
      <Loaded of={read} rows={4}>
        {(plan) => <PlanForm plan={plan} pools={pools} />}
      </Loaded>
    </Section>
  )
}

function valuesOf(plan: PoolPlan): Values {
  return Object.fromEntries([
    ['default', plan.default ?? ''],
    ...plan.brackets.flatMap(({ bracketGuid, poolGuid, rounds }) => [
      [bracketGuid, poolGuid ?? ''],
      ...Object.entries(rounds).map(([round, pool]) => [`${bracketGuid} ${round}`, pool]),
    ]),
  ]) as Values
}

/** A plan of the chosen pools; what is chosen for single matches stays. */
function planOf(values: Values, { revision, matches }: PoolPlan) {
  const brackets = new Map<string, { poolGuid: string | null; rounds: Record<string, string> }>()
  for (const [key, pool] of Object.entries(values)) {
    const [bracket = '', round] = key.split(' ')
    if (key === 'default' || pool === '') continue
    const own = brackets.get(bracket) ?? { poolGuid: null, rounds: {} }
    if (round === undefined) own.poolGuid = pool
    else own.rounds[round] = pool
    brackets.set(bracket, own)
  }
  return {
    revision,
    matches,
    default: values.default || null,
    brackets: [...brackets].map(([bracketGuid, own]) => ({ bracketGuid, ...own })),
  }
}

function PlanForm({ plan, pools }: { readonly plan: PoolPlan; readonly pools: readonly Pool[] }) {
  const tournament = useTournamentId()
  const divisions = useDivisions().data ?? []
  const brackets = divisions.flatMap((division) =>
    division.brackets.map((bracket) => ({ ...bracket, title: bracketName(divisions, division, bracket.name) })),
  )
  const keys = [
    'default',
    ...brackets.flatMap(({ guid, rounds }) => [
      guid,
      ...rounds.map(({ section, number }) => `${guid} ${section}:${number}`),
    ]),
  ]
  const form = useForm<Values>({
    key: `pool-plan-${tournament}`,
    saved: { ...Object.fromEntries(keys.map((key) => [key, ''])), ...valuesOf(plan) },
  })
  const save = useWrite('PUT /tournaments/{tournament}/pool-plan', (known, reply) => {
    form.take()
    known.put(planAddress(tournament), reply)
  })
  const options = [
    ['', words('poolers.plan-none')] as const,
    ...pools.filter(({ kind }) => kind === 'match').map(({ guid, name }) => [guid, name] as const),
  ]
  return (
    <Form
      className={styles.settings}
      error={save.error}
      isChanged={form.isChanged}
      onSubmit={() => save.send({ params: { tournament }, body: planOf(form.values, plan) })}
    >
      <p className="muted">{words('poolers.plan-lead')}</p>
      <div className={styles.fields}>
        <SelectField
          form={form}
          name="default"
          label={words('poolers.plan-default')}
          options={[['', words('poolers.choose')], ...options.slice(1)]}
        />
      </div>
      {brackets.map(({ guid, title, rounds }) => (
        <fieldset key={guid}>
          <legend className="strong">
            <bdi>{title}</bdi>
          </legend>
          <div className={styles.fields}>
            <SelectField form={form} name={guid} label={words('poolers.plan-bracket')} options={options} />
            {rounds.map(({ section, number, name }) => (
              <SelectField
                key={`${section}:${number}`}
                form={form}
                name={`${guid} ${section}:${number}`}
                label={name}
                options={options}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <Save isSending={save.isSending} isSaved={save.isDone && !form.isChanged} isDisabled={!form.isChanged}>
        {words('form.save')}
      </Save>
    </Form>
  )
}

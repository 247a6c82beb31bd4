import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Flow } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import type { FlowVerdict } from '../../data/generated.ts'
import { readNow, useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Meanwhile, TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Failure } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import manage from '../manage.module.css'
import { SaveBar } from '../save-bar.tsx'
import { Conduct } from './conduct.tsx'
import { Expert } from './expert.tsx'
import { Finding, Places, useVerdict } from './findings.tsx'
import styles from './flows.module.css'
import { allSteps, type FlowValues, flowOf, type Part, valuesOf } from './model.ts'
import { flowAddress, flowsAddress } from './page.tsx'
import { Replays } from './replays.tsx'
import { Scoring } from './scoring.tsx'
import { sentenceOf } from './sentences.ts'
import { Select } from './step-more.tsx'
import { Steps } from './steps.tsx'
import { Trial } from './trial.tsx'
import type { TrialMap } from './trial-moves.tsx'

/** The editor of a flow: its steps, its rules, what the service finds, and a trial; saved against what was seen. (W10) */

const none: readonly Part[] = []

export function FlowForm({ flow }: { readonly flow: Flow }) {
  const tournament = useTournamentId()
  const form = useForm<FlowValues>({ key: `flow-${flow.guid}`, saved: valuesOf(flow) })
  const { values } = form
  const [poolGuid, setPool] = useState('')
  const [bestOf, setBestOf] = useState(3)
  const pools = useRead(address('/tournaments/{tournament}/pools', { tournament }))
  const flairs = useRead(address('/tournaments/{tournament}/flairs', { tournament }))
  const pool = pools.data?.find(({ guid }) => guid === poolGuid)
  const maps = pool?.maps.map(
    ({ map, flair, isTiebreaker }): TrialMap => ({
      name: map.name ?? map.hash,
      flair: flair?.name ?? null,
      isTiebreaker,
    }),
  )
  const body = flowOf(values)
  const games = (values.bestOf ?? bestOf) as typeof body.bestOf
  const verdict = useVerdict({
    flow: body,
    bestOf: games,
    pool: maps?.map(({ flair, isTiebreaker }) => ({ flair, isTiebreaker })) ?? null,
    tournament,
  })
  const problems = verdict.found?.problems ?? []
  const save = useWrite('PUT /tournaments/{tournament}/flows/{flow}', (known, saved) => {
    known.put(flowAddress(tournament, flow.guid), saved)
    known.change(flowsAddress(tournament), (flows) => flows.map((each) => (each.guid === saved.guid ? saved : each)))
  })
  // What somebody else has saved is shown with what is typed here.
  useEffect(() => {
    if (save.error instanceof ApiError && save.error.code === 'flow.stale')
      void readNow(flowAddress(tournament, flow.guid))
  }, [save.error, tournament, flow.guid])
  const isStale = save.error instanceof ApiError && save.error.code === 'flow.stale'
  const submit = async () => {
    const isDone = await save.send({
      params: { tournament, flow: flow.guid },
      body: { ...body, name: values.name, basedOn: flow.basedOn, expectedUpdatedAt: flow.updatedAt },
    })
    // What was typed since stays.
    if (isDone) form.settle(values)
  }
  const around = { seats: values.seats, pairs: values.pairs, flairs: flairs.data?.map(({ name }) => name) ?? [] }
  return (
    <>
      <Form
        error={save.error}
        say={({ message }) => (isStale ? words('settings.stale') : message)}
        isChanged={form.isChanged}
        onSubmit={submit}
      >
        <div className={manage.fields}>
          <TextField form={form} name="name" label={words('flows.name')} isRequired maxLength={80} />
          <Select
            name="bestOf"
            label={words('flows.length')}
            hint={words('flows.length-hint')}
            value={`${values.bestOf ?? ''}`}
            options={[
              ['', words('flows.best-any')],
              ...bests.map((each) => [`${each}`, words('flows.best', { games: each })] as const),
            ]}
            choose={(best) => form.set('bestOf', best === '' ? null : Number(best))}
          />
          <Select
            name="seats"
            label={words('flows.seats')}
            value={`${values.seats}`}
            options={Array.from(
              { length: 15 },
              (_, index) => [`${index + 2}`, words('flows.sides', { count: index + 2 })] as const,
            )}
            choose={(seats) => form.set('seats', Number(seats))}
          />
        </div>
        {(['bestOf', 'seats'] as const).map((name) => (
          <Meanwhile key={name} form={form} name={name} />
        ))}
        <Section title={words('flows.steps')}>
          <p className={`muted ${styles.text}`}>{words('flows.steps-text')}</p>
          <Meanwhile form={form} name="steps" show={(steps) => <Theirs steps={steps as readonly Part[]} />} />
          <Steps
            steps={values.steps.length === 0 ? none : values.steps}
            around={around}
            problems={problems}
            change={(steps) => form.set('steps', steps)}
          />
        </Section>
        <Section title={words('flows.check')}>
          <div className={manage.fields}>
            <Select
              name="pool"
              label={words('flows.with-pool')}
              value={poolGuid}
              options={[
                ['', words('flows.no-pool')],
                ...(pools.data ?? []).map(
                  (each) => [each.guid, words('flows.pool', { name: each.name, count: each.maps.length })] as const,
                ),
              ]}
              choose={setPool}
            />
            {values.bestOf === null && (
              <Select
                name="games"
                label={words('flows.with-best')}
                value={`${bestOf}`}
                options={bests.map((each) => [`${each}`, words('flows.best', { games: each })] as const)}
                choose={(best) => setBestOf(Number(best))}
              />
            )}
          </div>
          {verdict.error !== null && <Failure error={verdict.error} again={() => form.change({ ...values })} />}
          <Judgement found={verdict.found} isBehind={verdict.isBehind} />
        </Section>
        <Trial flow={body} bestOf={games} maps={maps ?? invented(verdict.found, values.steps)} />
        <Scoring form={form} />
        <Replays form={form} />
        <Conduct form={form} />
        <Expert form={form} />
        <SaveBar form={form} isSending={save.isSending} isDone={save.isDone} />
      </Form>
      <Ending flow={flow} />
    </>
  )
}

const bests = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21]

function Theirs({ steps }: { readonly steps: readonly Part[] }) {
  return allSteps(steps).map(sentenceOf).join('. ')
}

/** Maps for a trial without a pool: as many as are needed at the worst. */
function invented(found: FlowVerdict | null, steps: readonly Part[]): readonly TrialMap[] {
  const hasFlagged = allSteps(steps).some(({ action, source }) => action === 'tiebreaker' && source === 'flagged')
  const count = Math.min(60, Math.max(3, found?.worstCase.maps ?? 9))
  return Array.from({ length: count }, (_, index) => ({
    name: words('flows.map', { map: index + 1 }),
    flair: null,
    isTiebreaker: hasFlagged && index === count - 1,
  }))
}

function Judgement({ found, isBehind }: { readonly found: FlowVerdict | null; readonly isBehind: boolean }) {
  if (found === null) return <p className="muted">{words('flows.checking')}</p>
  const { problems, worstCase } = found
  const ofFlow = problems.filter(({ step }) => step === null)
  const ofSteps = problems.filter(({ step }) => step !== null)
  return (
    <div className={styles.judgement}>
      <p role="status" className={problems.length > 0 ? 'strong' : ''}>
        {isBehind
          ? words('flows.checking')
          : problems.length === 0
            ? words('flows.sound')
            : words('flows.findings', { count: problems.length })}
      </p>
      {ofFlow.length > 0 && (
        <ul className={styles.findings}>
          {ofFlow.map((problem) => (
            <Finding key={problem.code} of={problem} />
          ))}
        </ul>
      )}
      <Places of={ofSteps} />
      <dl className="facts">
        <dt>{words('flows.worst-maps')}</dt>
        <dd>
          {worstCase.maps === null ? words('flows.unknown') : words('flows.worst-maps-are', { count: worstCase.maps })}
        </dd>
        <dt>{words('flows.worst-turns')}</dt>
        <dd>{worstCase.steps ?? words('flows.unknown')}</dd>
        <dt>{words('flows.worst-time')}</dt>
        <dd>
          {worstCase.seconds === null
            ? words('flows.unknown')
            : words('flows.worst-time-is', { minutes: Math.ceil(worstCase.seconds / 60) })}
        </dd>
      </dl>
    </div>
  )
}

function Ending({ flow }: { readonly flow: Flow }) {
  const tournament = useTournamentId()
  const navigate = useNavigate()
  const remove = useWrite('DELETE /tournaments/{tournament}/flows/{flow}', (known) => {
    known.change(flowsAddress(tournament), (flows) => flows.filter(({ guid }) => guid !== flow.guid))
    void navigate({ to: '/manage/$tournament/flows', params: { tournament } })
  })
  return (
    <Section title={words('flows.delete')}>
      <p className={`muted ${styles.text}`}>{words('flows.delete-hint')}</p>
      <p>
        <Danger
          label={words('flows.delete')}
          title={words('flows.delete-title', { name: flow.name })}
          typed={flow.name}
          error={remove.error}
          isSending={remove.isSending}
          act={() => remove.send({ params: { tournament, flow: flow.guid } })}
        >
          <p>{words('flows.delete-text')}</p>
        </Danger>
      </p>
    </Section>
  )
}

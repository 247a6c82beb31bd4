import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { Pins } from '../../data/pins.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { NumberField, SelectField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { type FormState, useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { useClock } from '../../parts/time.tsx'
import type { Plan } from './plan.ts'
import styles from './schedule.module.css'
import { from, searchWith } from './search.ts'
import { matchesOf, placesOf, requestOf, roundKey, usualWish, type Wish } from './wish.ts'

/** Asks for times, in plain words: which matches, from when to when, where, and whose answers count. */

interface Props {
  readonly plan: Plan
  readonly sheets: readonly AvailabilitySheet[]
  readonly pins: Pins
}

export const proposalAddress = (tournament: string, proposal: string) =>
  address('/tournaments/{tournament}/schedule/proposals/{proposal}', { tournament, proposal })

export function Asking({ plan, sheets, pins }: Props) {
  const tournament = useTournamentId()
  const navigate = useNavigate({ from })
  const clock = useClock()
  const [usual] = useState(() => usualWish(plan, sheets, clock()))
  const form = useForm({ key: `wish-${tournament}`, saved: usual })
  const ask = useWrite('POST /tournaments/{tournament}/schedule/proposals', (known, proposal) => {
    known.put(proposalAddress(tournament, proposal.guid), proposal)
    void navigate({ to: '.', search: (search: object) => searchWith(search, 'proposal', proposal.guid) })
  })
  const { values } = form
  const asked = matchesOf(values.which, plan, pins)
  const places = placesOf(values)
  return (
    <Section title={words('plan.ask')}>
      <Form
        className={styles.ask}
        error={ask.error}
        onSubmit={() => ask.send({ params: { tournament }, body: requestOf(values, plan, pins) })}
      >
        <p>{words('plan.ask-how')}</p>
        <div className={styles.fields}>
          <SelectField form={form} name="which" label={words('plan.which')} options={optionsOf(plan, pins)} />
          <InstantField form={form} name="earliest" label={words('plan.earliest')} zone={plan.zone} isRequired />
          <InstantField form={form} name="latest" label={words('plan.latest')} zone={plan.zone} isRequired />
          <NumberField form={form} name="minutes" label={words('plan.minutes')} min={15} max={720} isRequired />
          <NumberField form={form} name="rest" label={words('plan.rest')} min={0} max={10_080} />
          <NumberField
            form={form}
            name="others"
            label={words('plan.others')}
            hint={words('plan.others-hint')}
            min={0}
            max={16 - values.channels.length}
          />
        </div>
        {plan.channels.length > 0 && (
          <Choices form={form} name="channels" title={words('plan.on-channels')} options={plan.channels} />
        )}
        <Sheets form={form} sheets={sheets} />
        {sheets.some(({ audience }) => audience === 'staff') && (
          <div className={styles.fields}>
            <NumberField form={form} name="referees" label={words('plan.referees')} min={0} max={8} />
            <NumberField
              form={form}
              name="casters"
              label={words('plan.casters')}
              hint={words('plan.officials-hint')}
              min={0}
              max={8}
            />
          </div>
        )}
        <p className="strong">
          {asked.length === 0
            ? words('plan.nothing-asked')
            : places === 0
              ? words('plan.no-place')
              : words('plan.bound', {
                  count: asked.length,
                  places,
                  hours: hoursOf(asked.length, places, values.minutes ?? plan.rules.minutes),
                })}
        </p>
        <div role="status">{ask.isSending && <Busy />}</div>
        <Save isSending={ask.isSending} isDisabled={asked.length === 0 || places === 0}>
          {words('plan.work-out')}
        </Save>
      </Form>
    </Section>
  )
}

/** Whole hours that so many matches take at least, were everybody always free. */
const hoursOf = (matches: number, places: number, minutes: number) => (Math.ceil(matches / places) * minutes) / 60

function optionsOf(plan: Plan, pins: Pins): readonly (readonly [string, string])[] {
  const count = (which: string) => matchesOf(which, plan, pins).length
  const rounds = [...new Map(matchesOf('all', plan, pins).map((match) => [roundKey(match), plan.roundOf(match)]))]
  return [
    ['untimed', words('plan.which-untimed', { count: count('untimed') })],
    ['all', words('plan.which-all', { count: count('all') })],
    ...rounds.map(([key, round]) => [key, words('plan.which-round', { round, count: count(key) })] as const),
  ]
}

interface ChoicesProps {
  readonly form: FormState<Wish>
  readonly name: 'channels' | 'sheets'
  readonly title: string
  readonly options: readonly { readonly guid: string; readonly name: string }[]
}

function Choices({ form, name, title, options }: ChoicesProps) {
  const chosen = form.values[name]
  return (
    <fieldset>
      <legend className="strong">{title}</legend>
      {options.map(({ guid, name: text }) => (
        <label key={guid} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(guid)}
            onChange={({ target }) =>
              form.set(name, target.checked ? [...chosen, guid] : chosen.filter((each) => each !== guid))
            }
          />
          <bdi>{text}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

function Sheets({ form, sheets }: Pick<Props, 'sheets'> & { readonly form: FormState<Wish> }) {
  const tournament = useTournamentId()
  const may = useMay()
  if (sheets.length > 0) {
    const options = sheets.map(({ guid, title }) => ({ guid, name: title }))
    return <Choices form={form} name="sheets" title={words('plan.sheets')} options={options} />
  }
  return (
    <p className="muted">
      {words('plan.no-sheets')}{' '}
      {may('availability.createSheet') && (
        <Link to="/manage/$tournament/availability" params={{ tournament }}>
          {words('plan.ask-teams')}
        </Link>
      )}
    </p>
  )
}

/** Seconds pass, so that it is seen that something happens. */
function Busy() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="notice">
      <p>{words('plan.busy')}</p>
      <span aria-hidden="true" className="num">
        {words('plan.seconds', { seconds })}
      </span>
    </div>
  )
}

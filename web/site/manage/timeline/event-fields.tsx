import type { TournamentWithParts } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Meanwhile, TextValue } from '../../parts/form/fields.tsx'
import { Field } from '../../parts/form/form.tsx'
import { InstantInput } from '../../parts/form/instant.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { fullOf } from '../../parts/time.tsx'
import { clashesOf, type Events, type EventValues } from './events.ts'
import { EventIcon, iconNames } from './icons.tsx'
import styles from './timeline.module.css'

/** One event of the timeline, with what is worth a look. */

interface Props {
  readonly id: string
  readonly form: FormState<Events>
  readonly isNew: boolean
  readonly tournament: TournamentWithParts
}

export function EventFields({ id, form, isNew, tournament }: Props) {
  const event = form.values[id]
  const { timezone } = tournament
  const theirs = (value: unknown) => describe(value as EventValues | undefined, timezone)
  // Of an event that both have, each member is compared by itself; else the whole of it.
  const isWhole = isNew || form.conflicts[id] === null
  const at = (value: unknown) => (typeof value === 'string' ? fullOf(value, timezone) : words('form.nothing'))
  const meanwhile = (member: keyof EventValues, show?: (value: unknown) => string) =>
    isWhole ? undefined : <Meanwhile form={form} name={id} member={member} show={show} />
  if (event === undefined) return null
  if (event === null)
    return (
      <li className={styles.gone}>
        <del>{tournament.timeline?.find(({ guid }) => guid === id)?.title ?? words('timeline.removed')}</del>
        <button type="button" className="btn btn-quiet" onClick={() => form.take(id)}>
          {words('timeline.back')}
        </button>
        <Meanwhile form={form} name={id} show={theirs} />
      </li>
    )
  const change = (part: Partial<EventValues>) => form.set(id, { ...event, ...part })
  const icons = iconNames.includes(event.icon) ? iconNames : [...iconNames, event.icon]
  return (
    <li>
      <fieldset className={styles.event}>
        <legend className="unseen">{event.title === '' ? words('timeline.new') : event.title}</legend>
        <TextValue
          name="title"
          label={words('timeline.title')}
          isRequired
          maxLength={120}
          value={event.title}
          change={(title) => change({ title })}
          beside={meanwhile('title')}
        />
        <Field name="icon" label={words('timeline.icon')} beside={meanwhile('icon')}>
          {(of) => (
            <span className={styles.icon}>
              <EventIcon name={event.icon} />
              <select
                {...of}
                className="in"
                value={event.icon}
                onChange={({ target }) => change({ icon: target.value })}
              >
                {icons.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </span>
          )}
        </Field>
        <Field name="startTime" label={words('timeline.start')} isRequired beside={meanwhile('startTime', at)}>
          {(of) => (
            <InstantInput
              of={of}
              zone={timezone}
              isRequired
              value={event.startTime}
              set={(startTime) => change({ startTime })}
            />
          )}
        </Field>
        <Field name="endTime" label={words('timeline.end')} beside={meanwhile('endTime', at)}>
          {(of) => (
            <InstantInput of={of} zone={timezone} value={event.endTime} set={(endTime) => change({ endTime })} />
          )}
        </Field>
        <div className={styles.text}>
          <TextValue
            name="description"
            label={words('timeline.description')}
            maxLength={2_000}
            value={event.description}
            change={(description) => change({ description })}
            beside={meanwhile('description')}
          />
        </div>
        <button
          type="button"
          className={`btn btn-quiet ${styles.remove}`}
          onClick={() => (isNew ? form.take(id) : form.set(id, null))}
        >
          {words('settings.remove')}
          <span className="unseen">{event.title}</span>
        </button>
        <div className={styles.notes}>
          {isWhole && <Meanwhile form={form} name={id} show={theirs} />}
          {clashesOf(id, form.values, tournament).map((clash) => (
            <p key={clash.kind} className={styles.clash}>
              <StateIcon name="problem" />
              {clash.kind === 'overlap'
                ? words('timeline.overlap', { titles: clash.titles.join(', '), count: clash.titles.length })
                : words(`timeline.${clash.kind}`)}
            </p>
          ))}
        </div>
      </fieldset>
    </li>
  )
}

/** An event in one line, for the comparison with what somebody else has saved. */
function describe(event: EventValues | undefined, zone: string): string {
  if (event === undefined) return words('timeline.removed')
  const times = [event.startTime, event.endTime].flatMap((at) => (at === null ? [] : [fullOf(at, zone)]))
  return [event.title, times.join(' – '), event.description].filter((text) => text !== '').join(', ')
}

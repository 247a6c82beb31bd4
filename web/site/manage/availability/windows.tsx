import { words } from '../../data/words.ts'
import { Meanwhile } from '../../parts/form/fields.tsx'
import { Field } from '../../parts/form/form.tsx'
import { InstantInput } from '../../parts/form/instant.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { cityOf, fullOf } from '../../parts/time.tsx'
import { instantsOf, wallOf } from '../../parts/wall-time.ts'
import styles from './availability.module.css'
import type { SheetValues, Window } from './sheets.ts'

/** The times that a sheet asks about. */

interface Props {
  readonly form: FormState<SheetValues>
  readonly zone: string
}

export function Windows({ form, zone }: Props) {
  const { windows } = form.values
  const set = (at: number, change: Partial<Window>) =>
    form.set(
      'windows',
      windows.map((window, index) => (index === at ? { ...window, ...change } : window)),
    )
  const last = windows.at(-1)
  return (
    <fieldset>
      <legend className="strong">{words('sheets.times')}</legend>
      <p className="small muted">{words('sheets.times-hint', { zone: cityOf(zone) })}</p>
      <ol className={styles.windows}>
        {windows.map((window, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are known by their place alone
          <li key={at}>
            <Field
              name={`windows.${at}.startsAt`}
              label={words('sheets.from', { number: at + 1 })}
              isRequired={at === 0}
            >
              {(of) => (
                <InstantInput
                  of={of}
                  zone={zone}
                  isRequired
                  value={window.startsAt}
                  set={(startsAt) => set(at, { startsAt })}
                />
              )}
            </Field>
            <Field name={`windows.${at}.endsAt`} label={words('sheets.to', { number: at + 1 })} isRequired={at === 0}>
              {(of) => (
                <InstantInput
                  of={of}
                  zone={zone}
                  isRequired
                  value={window.endsAt}
                  set={(endsAt) => set(at, { endsAt })}
                />
              )}
            </Field>
            {windows.length > 1 && (
              <button
                type="button"
                className="btn"
                onClick={() =>
                  form.set(
                    'windows',
                    windows.filter((_, index) => index !== at),
                  )
                }
              >
                {words('settings.remove')}
                <span className="unseen"> {words('sheets.from', { number: at + 1 })}</span>
              </button>
            )}
          </li>
        ))}
      </ol>
      <div className="btns">
        <button
          type="button"
          className="btn"
          onClick={() => form.set('windows', [...windows, { startsAt: null, endsAt: null }])}
        >
          {words('sheets.add')}
        </button>
        {last !== undefined && last.startsAt !== null && last.endsAt !== null && (
          <button
            type="button"
            className="btn"
            onClick={() =>
              form.set('windows', [
                ...windows,
                { startsAt: nextDay(last.startsAt, zone), endsAt: nextDay(last.endsAt, zone) },
              ])
            }
          >
            {words('sheets.add-day')}
          </button>
        )}
      </div>
      <Meanwhile
        form={form}
        name="windows"
        show={(value) =>
          (value as readonly Window[])
            .map(({ startsAt, endsAt }) =>
              [startsAt, endsAt].map((at) => (at === null ? '' : fullOf(at, zone))).join(' – '),
            )
            .join('; ')
        }
      />
    </fieldset>
  )
}

const dayMs = 86_400_000

/** The same time of clocks a day later; null where they show none or two of it, so that it is typed. (W13) */
function nextDay(at: string | null, zone: string): string | null {
  if (at === null) return null
  const wall = wallOf(at, zone)
  const later = new Date(Date.parse(`${wall}:00Z`) + dayMs).toISOString().slice(0, 16)
  const { options, isSkipped } = instantsOf(later, zone)
  return options.length === 1 && !isSkipped ? (options[0] ?? null) : null
}

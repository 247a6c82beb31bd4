import { useId } from 'react'
import { words } from '../../data/words.ts'
import { Meanwhile } from '../../parts/form/fields.tsx'
import { Field } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { zoneOf } from '../../parts/time.tsx'
import { isZone, moved, zones } from '../../parts/wall-time.ts'
import styles from '../manage.module.css'
import type { SettingsValues } from '../settings-values.ts'

/** The zone of a tournament, and its dates as the clocks there show them. */

interface Props {
  readonly form: FormState<SettingsValues>
  /** Whether dates that were typed keep what clocks show when the zone is changed. */
  readonly keepsWall?: boolean
}

const dates = ['registrationOpensAt', 'registrationClosesAt', 'startsAt', 'endsAt', 'rosterLocksAt'] as const

export function DateFields({ form, keepsWall = false }: Props) {
  const list = useId()
  const { timezone } = form.values
  const zone = isZone(timezone) ? timezone : 'UTC'
  const setZone = (next: string) => {
    form.set('timezone', next)
    if (!keepsWall || !isZone(next)) return
    for (const name of dates) form.set(name, moved(form.values[name], zone, next))
  }
  return (
    <>
      <Field
        name="timezone"
        label={words('settings.timezone')}
        hint={
          isZone(timezone) ? words('settings.timezone-is', { zone: zoneOf(zone) }) : words('settings.timezone-unknown')
        }
        isRequired
        beside={<Meanwhile form={form} name="timezone" />}
      >
        {(of) => (
          <>
            <input
              {...of}
              className="in"
              list={list}
              value={timezone}
              required
              maxLength={64}
              autoComplete="off"
              onChange={({ target }) => setZone(target.value)}
            />
            <datalist id={list}>
              {zones.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <div className={styles.fields}>
        {dates.map((name) => (
          <InstantField
            key={name}
            form={form}
            name={name}
            zone={zone}
            label={words(`settings.${name}`)}
            {...(name === 'rosterLocksAt' && { hint: words('settings.rosterLocksAt-hint') })}
          />
        ))}
      </div>
    </>
  )
}

import { words } from '../../data/words.ts'
import { countryOf } from '../../parts/country.ts'
import { CheckField, NumberField, TextField } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import styles from '../manage.module.css'
import type { SettingsValues } from '../settings-values.ts'

/** How large teams are, how many there are, and what players must fulfil. */

interface Props {
  readonly form: FormState<SettingsValues>
}

export function TeamFields({ form }: Props) {
  return (
    <>
      <div className={styles.fields}>
        <NumberField form={form} name="teamSize.min" label={words('settings.size-min')} min={1} max={16} isRequired />
        <NumberField form={form} name="teamSize.max" label={words('settings.size-max')} min={1} max={16} isRequired />
        <NumberField
          form={form}
          name="teamSize.active"
          label={words('settings.size-active')}
          min={1}
          max={16}
          isRequired
        />
        <NumberField
          form={form}
          name="capacity"
          label={words('settings.capacity')}
          hint={words('settings.capacity-hint')}
          min={2}
          max={4096}
        />
      </div>
      <CheckField
        form={form}
        name="publicRegistration"
        label={words('settings.public-registration')}
        hint={words('settings.public-registration-hint')}
      />
    </>
  )
}

export function RequirementFields({ form }: Props) {
  const codes = form.values['requirements.countries'].toUpperCase().match(/[A-Z]{2}/g) ?? []
  return (
    <>
      <TextField
        form={form}
        name="requirements.countries"
        label={words('settings.countries')}
        hint={codes.length === 0 ? words('settings.countries-hint') : codes.map(countryOf).join(', ')}
      />
      {(['A', 'B'] as const).map((platform) => (
        <fieldset key={platform} className={styles.ranks}>
          <legend className="strong">{words(`settings.ranks-${platform}`)}</legend>
          <NumberField
            form={form}
            name={`requirements.rank${platform}.min`}
            label={words('settings.rank-min')}
            min={1}
          />
          <NumberField
            form={form}
            name={`requirements.rank${platform}.max`}
            label={words('settings.rank-max')}
            min={1}
          />
        </fieldset>
      ))}
      <NumberField
        form={form}
        name="requirements.chatAccountAgeDays"
        label={words('settings.age')}
        hint={words('settings.age-hint')}
        min={0}
      />
      <div>
        <CheckField form={form} name="requirements.rankingA" label={words('settings.needs-rankingA')} />
        <CheckField form={form} name="requirements.rankingB" label={words('settings.needs-rankingB')} />
        <CheckField form={form} name="requirements.verifiedLinks" label={words('settings.needs-verifiedLinks')} />
        <CheckField form={form} name="requirements.emailVerified" label={words('settings.needs-emailVerified')} />
      </div>
    </>
  )
}

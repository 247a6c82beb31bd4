import { words } from '../../data/words.ts'
import { CheckField, NumberField, SelectField } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import styles from './brackets.module.css'
import { formats, type Wish } from './wish.ts'

/** The format, and what there is to decide about it. */
export function FormatFields({ form }: { readonly form: FormState<Wish> }) {
  const { format, allowDraws } = form.values
  return (
    <>
      <fieldset className={styles.formats}>
        <legend>{words('draw.format')}</legend>
        {formats.map((each) => (
          <label key={each} className={styles.format}>
            <input
              type="radio"
              name="format"
              value={each}
              checked={format === each}
              onChange={() => form.change({ format: each, bestOfByRound: {} })}
            />
            <span>
              <span className="strong">{words(`format.${each}`)}</span>
              <span className="small muted">{words(`draw.about-${each}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {format === 'single_elimination' && (
        <CheckField form={form} name="thirdPlace" label={words('draw.third-place')} />
      )}
      {format === 'double_elimination' && (
        <SelectField
          form={form}
          name="grandFinal"
          label={words('draw.grand-final')}
          options={[
            ['reset', words('draw.grand-final-reset')],
            ['single', words('draw.grand-final-single')],
            ['none', words('draw.grand-final-none')],
          ]}
        />
      )}
      {format === 'round_robin' && (
        <>
          <div className={styles.pair}>
            <NumberField form={form} name="groups" label={words('draw.groups')} min={1} max={512} isRequired />
            <SelectField
              form={form}
              name="legs"
              label={words('draw.legs')}
              options={[
                ['1', words('draw.legs-1')],
                ['2', words('draw.legs-2')],
              ]}
            />
          </div>
          <SelectField
            form={form}
            name="distribution"
            label={words('draw.distribution')}
            options={[
              ['snake', words('draw.distribution-snake')],
              ['sequential', words('draw.distribution-sequential')],
            ]}
          />
        </>
      )}
      {format === 'swiss' && (
        <>
          <NumberField
            form={form}
            name="rounds"
            label={words('draw.rounds')}
            hint={words('draw.rounds-hint')}
            min={1}
            max={50}
          />
          <CheckField form={form} name="avoidRematches" label={words('draw.avoid-rematches')} />
        </>
      )}
      {format === 'round_robin' || format === 'swiss' ? (
        <>
          <CheckField form={form} name="allowDraws" label={words('draw.allow-draws')} />
          <div className={styles.three}>
            <NumberField form={form} name="win" label={words('draw.points-win')} min={0} max={1_000} isRequired />
            {allowDraws && (
              <NumberField form={form} name="draw" label={words('draw.points-draw')} min={0} max={1_000} isRequired />
            )}
            <NumberField form={form} name="loss" label={words('draw.points-loss')} min={0} max={1_000} isRequired />
          </div>
          <p className="small muted">{words(`draw.ties-${format}`)}</p>
        </>
      ) : (
        <SelectField
          form={form}
          name="seedOrdering"
          label={words('draw.ordering')}
          options={[
            ['standard', words('draw.ordering-standard')],
            ['natural', words('draw.ordering-natural')],
          ]}
        />
      )}
    </>
  )
}

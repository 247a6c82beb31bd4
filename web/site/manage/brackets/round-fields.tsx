import type { NewBracketWithMatches } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { NumberField } from '../../parts/form/fields.tsx'
import { Field } from '../../parts/form/form.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import styles from './brackets.module.css'
import type { Wish } from './wish.ts'

/** How many games decide a match, everywhere and in single rounds; and how many matches are played at once. */

const lengths = [1, 3, 5, 7, 9, 11, 13] as const

export function RoundFields({
  form,
  bracket,
}: {
  readonly form: FormState<Wish>
  readonly bracket: NewBracketWithMatches | undefined
}) {
  const { bestOf, bestOfByRound } = form.values
  const rounds = bracket === undefined ? [] : roundsOf(bracket)
  const setRound = (key: string, text: string) => {
    const { [key]: _before, ...others } = bestOfByRound
    form.set('bestOfByRound', text === '' ? others : { ...others, [key]: Number(text) })
  }
  return (
    <>
      <div className={styles.pair}>
        <Field name="bestOf" label={words('draw.best-of')} hint={words('draw.best-of-hint')}>
          {(of) => (
            <select
              {...of}
              className="in"
              value={bestOf}
              onChange={({ target }) => form.set('bestOf', Number(target.value))}
            >
              {lengths.map((games) => (
                <option key={games} value={games}>
                  {words('draw.games', { games })}
                </option>
              ))}
            </select>
          )}
        </Field>
        <NumberField
          form={form}
          name="atOnce"
          label={words('draw.at-once')}
          hint={words('draw.at-once-hint')}
          min={1}
          max={64}
        />
      </div>
      {rounds.length > 0 && (
        <fieldset className={styles.rounds}>
          <legend>{words('draw.by-round')}</legend>
          {rounds.map(({ key, name }) => (
            <label key={key}>
              <span>{name}</span>
              <select
                className="in"
                value={bestOfByRound[key] ?? ''}
                onChange={({ target }) => setRound(key, target.value)}
              >
                <option value="">{words('draw.as-all', { games: bestOf })}</option>
                {lengths.map((games) => (
                  <option key={games} value={games}>
                    {words('draw.games', { games })}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}

/** All rounds, also those of a Swiss bracket that are paired later. */
function roundsOf({ format, settings, rounds }: NewBracketWithMatches) {
  if (format === 'swiss')
    return Array.from({ length: settings.rounds ?? 1 }, (_, at) => ({
      key: `swiss:${at + 1}`,
      name: words('draw.round', { round: at + 1 }),
    }))
  return rounds.map(({ section, number, name }) => ({ key: `${section}:${number}`, name }))
}

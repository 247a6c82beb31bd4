import { words } from '../../data/words.ts'
import { TextValue } from '../../parts/form/fields.tsx'
import { Field } from '../../parts/form/form.tsx'
import styles from './flows.module.css'
import { isTimed, type Step } from './model.ts'
import { actorText } from './sentences.ts'
import { type Around, actorsOf } from './step-line.tsx'

/** What is seldom needed of a step: when it is left out, who acts otherwise, which maps, in secret, a name. */

interface Props {
  readonly step: Step
  readonly around: Around
  readonly isInEach: boolean
  readonly change: (step: Step) => void
}

const ofMaps: ReadonlySet<Step['action']> = new Set(['protect', 'ban', 'pick', 'random', 'flair_pick', 'flair_ban'])

export function StepMore({ step, around, isInEach, change }: Props) {
  const { action, actor, from, limits } = step
  const flairs = [...new Set([...around.flairs, ...(from.flairs ?? []), ...from.exceptFlairs])]
  const isOfSeats = !['roll', 'random', 'tiebreaker', 'play'].includes(action)
  return (
    <div className={styles.more}>
      <Select
        name="when"
        label={words('flows.when')}
        value={step.when}
        options={(['always', 'all_at_match_point', 'not_all_at_match_point'] as const).map((when) => [
          when,
          words(`flows.when-${when}`),
        ])}
        choose={(when) => change({ ...step, when: when as Step['when'] })}
      />
      {isOfSeats && (
        <Select
          name="actor"
          label={words('flows.otherwise')}
          value={actor[1] ?? ''}
          options={[
            ['', words('flows.otherwise-none')],
            ...actorsOf(around, isInEach, action).map((name) => [name, actorText(name)] as const),
          ]}
          choose={(name) => change({ ...step, actor: [actor[0] ?? 'higherSeed', ...(name === '' ? [] : [name])] })}
        />
      )}
      {isTimed(step) && (
        <NumberOf
          name="seconds"
          label={words('flows.seconds')}
          hint={words('flows.seconds-hint')}
          value={step.seconds}
          min={5}
          max={3_600}
          change={(seconds) => change({ ...step, seconds })}
        />
      )}
      <TextValue
        name="label"
        label={words('flows.label')}
        hint={words('flows.label-hint')}
        maxLength={60}
        value={step.label ?? ''}
        change={(label) => change({ ...step, label: label === '' ? null : label })}
      />
      {ofMaps.has(action) && (
        <fieldset>
          <legend>{words('flows.which-maps')}</legend>
          <Check
            label={words('flows.with-tiebreakers')}
            isOn={from.tiebreakers}
            set={(tiebreakers) => change({ ...step, from: { ...from, tiebreakers } })}
          />
          {flairs.map((flair) => (
            <div key={flair} className={styles.flair}>
              <Select
                name="flairs"
                label={flair}
                value={from.flairs?.includes(flair) ? 'only' : from.exceptFlairs.includes(flair) ? 'none' : ''}
                options={(['', 'only', 'none'] as const).map((rule) => [
                  rule,
                  words(`flows.flair-${rule === '' ? 'free' : rule}`),
                ])}
                choose={(rule) => change({ ...step, from: withFlair(from, flair, rule) })}
              />
            </div>
          ))}
          {isOfSeats && !action.startsWith('flair') && (
            <Select
              name="limits"
              label={words('flows.limits')}
              value={limits[0]?.other_flair_than ?? ''}
              options={[
                ['', words('flows.limit-none')],
                ['own_last', words('flows.limit-own_last')],
                ['own_all', words('flows.limit-own_all')],
              ]}
              choose={(than) =>
                change({
                  ...step,
                  limits:
                    than === ''
                      ? []
                      : [{ other_flair_than: than as 'own_last' | 'own_all', except: limits[0]?.except ?? [] }],
                })
              }
            />
          )}
        </fieldset>
      )}
      {actor.includes('all') && (action === 'ban' || action === 'protect' || action === 'lineup') && (
        <Check label={words('flows.secret')} isOn={step.secret} set={(secret) => change({ ...step, secret })} />
      )}
    </div>
  )
}

function withFlair(from: Step['from'], flair: string, rule: string): Step['from'] {
  const only = (from.flairs ?? []).filter((each) => each !== flair)
  const except = from.exceptFlairs.filter((each) => each !== flair)
  const flairs = rule === 'only' ? [...only, flair] : only
  return {
    ...from,
    flairs: flairs.length === 0 ? null : flairs,
    exceptFlairs: rule === 'none' ? [...except, flair] : except,
  }
}

interface SelectProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly options: readonly (readonly [string, string])[]
  readonly choose: (value: string) => void
}

export function Select({ name, label, hint, value, options, choose }: SelectProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(of) => (
        <select {...of} className="in" value={value} onChange={({ target }) => choose(target.value)}>
          {!options.some(([each]) => each === value) && <option value={value}>{value}</option>}
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function Check({
  label,
  isOn,
  set,
}: {
  readonly label: string
  readonly isOn: boolean
  readonly set: (isOn: boolean) => void
}) {
  return (
    <label className="choice">
      <input type="checkbox" checked={isOn} onChange={({ target }) => set(target.checked)} />
      {label}
    </label>
  )
}

interface NumberProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly value: number | null
  readonly min: number
  readonly max: number
  readonly change: (value: number | null) => void
}

/** A whole number, or nothing. */
export function NumberOf({ name, label, hint, value, min, max, change }: NumberProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(of) => (
        <input
          {...of}
          className="in num"
          type="number"
          inputMode="numeric"
          value={value ?? ''}
          min={min}
          max={max}
          step={1}
          onChange={({ target }) => change(target.value === '' ? null : Number(target.value))}
        />
      )}
    </Field>
  )
}

import { type ReactNode, useContext } from 'react'
import { words } from '../../data/words.ts'
import { Instant } from '../time.tsx'
import { Field, FieldNotes, SavedBy } from './form.tsx'
import type { FormState } from './use-form.ts'

/** Fields of a form, by the names of its values. */

type NameOf<Values, Kind> = { [Name in keyof Values]: Values[Name] extends Kind ? Name : never }[keyof Values] & string

interface Shared<Values extends object, Kind> {
  readonly form: FormState<Values>
  readonly name: NameOf<Values, Kind>
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isRequired?: boolean
}

interface TextOptions {
  readonly type?: 'text' | 'url' | 'email' | 'search' | 'password'
  readonly maxLength?: number
  readonly autoComplete?: string
  readonly placeholder?: string
  /** Several lines. */
  readonly rows?: number
}

interface TextValueProps extends TextOptions, Pick<Shared<object, never>, 'label' | 'hint' | 'isRequired'> {
  /** The member of the request that it is. */
  readonly name: string
  readonly value: string
  readonly change: (text: string) => void
  /** What somebody else has saved meanwhile. */
  readonly beside?: ReactNode
}

/** A text that is no value of a form by itself, but a part of one. */
export function TextValue(props: TextValueProps) {
  const { name, value, change, label, hint, isRequired = false, beside } = props
  const { type = 'text', maxLength, autoComplete = 'off', placeholder, rows } = props
  return (
    <Field name={name} label={label} hint={hint} isRequired={isRequired} beside={beside}>
      {(of) => {
        const look = { className: 'in', dir: 'auto', placeholder, maxLength, autoComplete }
        const shared = { ...of, ...look, value, required: isRequired }
        if (rows !== undefined)
          return <textarea {...shared} rows={rows} onChange={({ target }) => change(target.value)} />
        return <input {...shared} type={type} onChange={({ target }) => change(target.value)} />
      }}
    </Field>
  )
}

export function TextField<Values extends object>(props: Shared<Values, string | null> & TextOptions) {
  const { form, name, ...others } = props
  return (
    <TextValue
      {...others}
      name={name}
      value={(form.values[name] ?? '') as string}
      change={(text) => form.set(name, text as Values[typeof name])}
      beside={<Meanwhile form={form} name={name} />}
    />
  )
}

interface NumberProps<Values extends object> extends Shared<Values, number | null> {
  readonly min?: number
  readonly max?: number
}

export function NumberField<Values extends object>(props: NumberProps<Values>) {
  const { form, name, label, hint, isRequired = false, min, max } = props
  const value = form.values[name] as number | null
  const set = (text: string) => form.set(name, (text === '' ? null : Number(text)) as Values[typeof name])
  return (
    <Field name={name} label={label} hint={hint} isRequired={isRequired} beside={<Meanwhile form={form} name={name} />}>
      {(of) => (
        <input
          {...of}
          className="in num"
          type="number"
          inputMode="numeric"
          value={value ?? ''}
          required={isRequired}
          min={min}
          max={max}
          step={1}
          onChange={({ target }) => set(target.value)}
        />
      )}
    </Field>
  )
}

interface SelectProps<Values extends object> extends Shared<Values, string> {
  readonly options: readonly (readonly [value: string, text: string])[]
}

export function SelectField<Values extends object>(props: SelectProps<Values>) {
  const { form, name, label, hint, options } = props
  const show = (value: unknown) => options.find(([each]) => each === value)?.[1] ?? String(value)
  return (
    <Field name={name} label={label} hint={hint} beside={<Meanwhile form={form} name={name} show={show} />}>
      {(of) => (
        <select
          {...of}
          className="in"
          value={form.values[name] as string}
          onChange={({ target }) => form.set(name, target.value as Values[typeof name])}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function CheckField<Values extends object>({ form, name, label, hint }: Shared<Values, boolean>) {
  const note = useContext(FieldNotes)(name)
  return (
    <div>
      <label className="choice">
        <input
          type="checkbox"
          checked={form.values[name] as boolean}
          onChange={({ target }) => form.set(name, target.checked as Values[typeof name])}
        />
        {label}
      </label>
      {hint !== undefined && <p className="small muted">{hint}</p>}
      <Meanwhile form={form} name={name} show={(value) => words(value === true ? 'form.yes' : 'form.no')} />
      {note}
    </div>
  )
}

/** What somebody else has saved while the reader was typing: each of both can be chosen. (W10) */
export function Meanwhile<Values extends object>({
  form,
  name,
  member,
  show = (value) => String(value ?? ''),
}: {
  readonly form: FormState<Values>
  readonly name: keyof Values
  /** Of a value that is compared member by member. */
  readonly member?: string
  readonly show?: ((value: unknown) => ReactNode) | undefined
}) {
  const by = useContext(SavedBy)(String(name))
  if (!(name in form.conflicts)) return null
  const whole: unknown = form.conflicts[name]
  if (member !== undefined && !(typeof whole === 'object' && whole !== null && member in whole)) return null
  const theirs = member === undefined ? whole : (whole as Readonly<Record<string, unknown>>)[member]
  return (
    <div className="notice notice-warning" role="status">
      <p className="push">
        {by === undefined ? (
          words('form.meanwhile')
        ) : (
          <>
            {words('form.meanwhile-by', { name: by.who })} <Instant at={by.at} />:
          </>
        )}{' '}
        <bdi>{show(theirs)}</bdi>
      </p>
      <div className="btns">
        <button type="button" className="btn" onClick={() => form.keep(name, member)}>
          {words('form.mine')}
        </button>
        <button type="button" className="btn" onClick={() => form.take(name, member)}>
          {words('form.theirs')}
        </button>
      </div>
    </div>
  )
}

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { words } from '../../data/words.ts'
import { cityOf, fullOf, isSameZone, offsetOf, ownZone, zoneOf } from '../time.tsx'
import { instantsOf, wallOf } from '../wall-time.ts'
import { Meanwhile } from './fields.tsx'
import { Field } from './form.tsx'
import type { FormState } from './use-form.ts'

/** A field for an instant, typed as the clocks of a zone show it. A time that they skip or show twice is asked about. (W13) */

interface InputProps {
  readonly of: object
  readonly value: string | null
  readonly set: (value: string | null) => void
  readonly zone: string
  readonly isRequired?: boolean
}

interface Asked {
  readonly wall: string
  readonly options: readonly string[]
  readonly isSkipped: boolean
}

export function InstantInput({ of, value, set, zone, isRequired = false }: InputProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.setCustomValidity(asked === null ? '' : words('instant.choose'))
  }, [asked])
  const type = (wall: string) => {
    setAsked(null)
    if (wall === '') return set(null)
    const { options, isSkipped } = instantsOf(wall, zone)
    if (options.length === 1 && !isSkipped) return set(options[0] ?? null)
    setAsked({ wall, options, isSkipped })
  }
  const at = value === null ? null : Date.parse(value)
  return (
    <>
      <input
        {...of}
        ref={input}
        className="in"
        type="datetime-local"
        max="9999-12-31T23:59"
        required={isRequired}
        value={asked?.wall ?? (value === null ? '' : wallOf(value, zone))}
        onChange={({ target }) => type(target.value)}
      />
      {asked !== null && (
        <div className="notice notice-warning" role="alert">
          <p className="push">
            {words(asked.isSkipped ? 'instant.skipped' : 'instant.twice', {
              time: asked.wall.slice(11),
              zone: cityOf(zone),
            })}
          </p>
          <div className="btns">
            {asked.options.map((option) => (
              <button
                key={option}
                type="button"
                className="btn"
                onClick={() => {
                  setAsked(null)
                  set(option)
                }}
              >
                {fullOf(option, zone)}, {offsetOf(zone, Date.parse(option))}
              </button>
            ))}
          </div>
        </div>
      )}
      {asked === null && value !== null && at !== null && !isSameZone(zone, ownZone, at) && (
        <p className="small muted">{words('instant.own', { time: fullOf(value), zone: zoneOf(ownZone, at) })}</p>
      )}
    </>
  )
}

interface Props<Values extends object> {
  readonly form: FormState<Values>
  readonly name: { [Name in keyof Values]: Values[Name] extends string | null ? Name : never }[keyof Values] & string
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly zone: string
  readonly isRequired?: boolean
}

export function InstantField<Values extends object>({
  form,
  name,
  label,
  hint,
  zone,
  isRequired = false,
}: Props<Values>) {
  const show = (value: unknown) => (typeof value === 'string' ? fullOf(value, zone) : words('form.nothing'))
  return (
    <Field
      name={name}
      label={label}
      hint={hint}
      isRequired={isRequired}
      beside={<Meanwhile form={form} name={name} show={show} />}
    >
      {(of) => (
        <InstantInput
          of={of}
          zone={zone}
          isRequired={isRequired}
          value={form.values[name] as string | null}
          set={(value) => form.set(name, value as Values[typeof name])}
        />
      )}
    </Field>
  )
}

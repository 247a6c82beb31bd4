import type { DivisionWithBrackets, ListedBracket } from '../../../../client/generated.ts'
import { useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { NumberField, SelectField } from '../../parts/form/fields.tsx'
import { Field } from '../../parts/form/form.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { ActLink } from '../act-link.tsx'
import { groupsIn, placesIn, type Source, type Wish } from './wish.ts'

/** Where the teams come from, and how many of them there are. */

interface Props {
  readonly form: FormState<Wish>
  readonly divisions: readonly DivisionWithBrackets[]
  /** The bracket that is made again. */
  readonly again: ListedBracket | undefined
  /** The bracket that teams come from. */
  readonly other: ListedBracket | undefined
}

export function WhoFields({ form, divisions, again, other }: Props) {
  const counts = useTournament().data?.counts
  const { source } = form.values
  const others = divisions.flatMap((division) =>
    division.brackets
      .filter(({ guid }) => guid !== again?.guid)
      .map(
        (bracket) => [bracket.guid, divisions.length > 1 ? `${division.name}: ${bracket.name}` : bracket.name] as const,
      ),
  )
  const sources: readonly (readonly [Source, string])[] = [
    ...(again === undefined ? [] : [['kept', words('draw.from-kept')] as const]),
    ['registered', words('draw.from-registered', { count: counts?.registered ?? 0 })],
    ['qualified', words('draw.from-qualified', { count: counts?.qualified ?? 0 })],
    ...(others.length === 0 ? [] : [['bracket', words('draw.from-bracket')] as const]),
    ['empty', words('draw.from-empty')],
  ]
  const choose = (next: Source) =>
    form.change({
      source: next,
      tie: null,
      ...(next === 'bracket' && other === undefined && { from: others[0]?.[0] ?? '' }),
      ...(next === 'empty' && form.values.size === null && { size: 8 }),
    })
  return (
    <>
      <Field name="source" label={words('draw.from')}>
        {(of) => (
          <select {...of} className="in" value={source} onChange={({ target }) => choose(target.value as Source)}>
            {sources.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      {source === 'registered' && (counts?.registered ?? 0) < 2 && (
        <p>
          {words('draw.too-few')} <ActLink act="registration.desk">{words('manage.registration')}</ActLink>
        </p>
      )}
      {source === 'qualified' && (counts?.qualified ?? 0) < 2 && (
        <p>
          {words('draw.too-few-qualified')} <ActLink act="registration.qualify">{words('manage.registration')}</ActLink>{' '}
          <ActLink act="qualifiers.seed">{words('draw.qualifier')}</ActLink>
        </p>
      )}
      {(source === 'registered' || source === 'qualified') && (
        <NumberField
          form={form}
          name="size"
          label={words('draw.size-most')}
          hint={words('draw.size-most-hint')}
          min={2}
          max={4_096}
        />
      )}
      {source === 'empty' && (
        <NumberField
          form={form}
          name="size"
          label={words('draw.size')}
          hint={words('draw.size-hint')}
          min={2}
          max={4_096}
          isRequired
        />
      )}
      {source === 'bracket' && (
        <>
          <SelectField form={form} name="from" label={words('draw.from-which')} options={others} />
          {other !== undefined && (
            <>
              <NumberField
                form={form}
                name="places"
                label={words(groupsIn(other) > 1 ? 'draw.places-each' : 'draw.places')}
                hint={
                  groupsIn(other) > 1
                    ? words('draw.places-each-hint', {
                        groups: groupsIn(other),
                        teams: groupsIn(other) * (form.values.places ?? 0),
                      })
                    : words('draw.places-hint')
                }
                min={1}
                max={placesIn(other)}
                isRequired
              />
              {other.status !== 'completed' && (
                <p className="notice notice-warning">{words('draw.from-open', { name: other.name })}</p>
              )}
            </>
          )}
        </>
      )}
    </>
  )
}

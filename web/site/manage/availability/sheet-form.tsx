import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { AvailabilitySheet, AvailabilityState } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { readNow } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Meanwhile, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { type FormState, useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { availabilityAddress } from '../matches.ts'
import styles from './availability.module.css'
import { MatchChoices } from './match-choices.tsx'
import { bodyOf, emptyValues, from, type SheetValues, statuses, valuesOf, withSheet } from './sheets.ts'
import { Windows } from './windows.tsx'

/** Makes a sheet, or changes one: who is asked, about which times, in which steps, until when. */

interface Props {
  readonly state: AvailabilityState
  /** null for a new one. */
  readonly sheet: AvailabilitySheet | null
  readonly zone: string
}

export function SheetForm({ state, sheet, zone }: Props) {
  const tournament = useTournamentId()
  const navigate = useNavigate({ from })
  const [empty] = useState(() => emptyValues(state))
  const saved = useMemo(() => (sheet === null ? empty : valuesOf(sheet)), [sheet, empty])
  const form = useForm({ key: `sheet-${sheet?.guid ?? tournament}`, saved })
  const [isChecking, setChecking] = useState(false)
  const open = (guid: string) => void navigate({ to: '.', search: { sheet: guid }, ignoreBlocker: true })
  const create = useWrite('POST /tournaments/{tournament}/availability/sheets', (known, after) => {
    form.take()
    known.change(availabilityAddress(tournament), (before) => withSheet(before, after))
    open(after.guid)
  })
  const put = useWrite('PUT /tournaments/{tournament}/availability/sheets/{sheet}', (known, after) => {
    form.take()
    known.change(availabilityAddress(tournament), (before) => withSheet(before, after))
    open(after.guid)
  })
  const submit = async () => {
    if (sheet === null) return create.send({ params: { tournament }, body: bodyOf(form.values, zone) })
    const params = { tournament, sheet: sheet.guid }
    setChecking(true)
    // The service takes the whole sheet: what others changed since is compared first.
    const newest = await readNow(address('/tournaments/{tournament}/availability/sheets/{sheet}', params)).catch(
      () => sheet,
    )
    setChecking(false)
    const { values, conflicts } = form.over(valuesOf(newest))
    if (Object.keys(conflicts).length > 0) return false
    return put.send({ params, body: bodyOf(values, zone) })
  }
  const { audience, mode } = form.values
  const isSending = isChecking || create.isSending || put.isSending
  const isForMatches = audience === 'staff' && mode === 'matches'
  const hasAnswers = sheet !== null && (sheet.teamSubmissions.length > 0 || sheet.responses.length > 0)
  const isMissing = isForMatches
    ? form.values.matchGuids.length === 0
    : form.values.windows.every(({ startsAt, endsAt }) => startsAt === null || endsAt === null)
  return (
    <Section title={sheet === null ? words('sheets.new') : <bdi>{sheet.title}</bdi>}>
      <Form className={styles.form} error={create.error ?? put.error} isChanged={form.isChanged} onSubmit={submit}>
        <div className={styles.fields}>
          <TextField form={form} name="title" label={words('sheets.title')} maxLength={255} isRequired />
          {sheet === null && state.canManageTeams && (
            <SelectField
              form={form}
              name="audience"
              label={words('sheets.asks')}
              options={[
                ['teams', words('sheets.teams')],
                ['staff', words('sheets.staff')],
              ]}
            />
          )}
          {audience === 'teams' && (
            <SelectField
              form={form}
              name="teamEligibility"
              label={words('sheets.which-teams')}
              options={(['both', 'registered', 'qualified'] as const).map((each) => [
                each,
                words(`sheets.teams-${each}`),
              ])}
            />
          )}
          {audience === 'teams' && (
            <SelectField
              form={form}
              name="slotMinutes"
              label={words('sheets.slots')}
              options={['15', '30', '60'].map((each) => [each, words('sheets.minutes', { minutes: Number(each) })])}
            />
          )}
          {audience === 'staff' && sheet === null && (
            <SelectField
              form={form}
              name="mode"
              label={words('sheets.about')}
              options={[
                ['days', words('sheets.about-times')],
                ['matches', words('sheets.about-matches')],
              ]}
            />
          )}
          <InstantField
            form={form}
            name="closesAt"
            label={words('sheets.closes')}
            hint={words('sheets.closes-hint')}
            zone={zone}
          />
        </div>
        <TextField
          form={form}
          name="description"
          label={words('sheets.description')}
          hint={words('form.markdown')}
          rows={3}
        />
        {audience === 'staff' && <Roles form={form} state={state} />}
        {isForMatches ? <MatchChoices form={form} /> : <Windows form={form} zone={zone} />}
        <Accepted form={form} />
        {hasAnswers && 'windows' in form.changed && <p className="notice notice-warning">{words('sheets.drops')}</p>}
        <Save isSending={isSending} isDisabled={!form.isChanged || isMissing || Object.keys(form.conflicts).length > 0}>
          {words(sheet === null ? 'sheets.ask' : 'form.save')}
        </Save>
      </Form>
    </Section>
  )
}

function Roles({ form, state }: { readonly form: FormState<SheetValues>; readonly state: AvailabilityState }) {
  const { roles } = form.values
  return (
    <fieldset>
      <legend className="strong">{words('sheets.roles')}</legend>
      <div className={styles.choices}>
        {state.manageableRoles.map((role) => (
          <label key={role} className="choice">
            <input
              type="checkbox"
              checked={roles.includes(role)}
              onChange={({ target }) =>
                form.set('roles', target.checked ? [...roles, role] : roles.filter((each) => each !== role))
              }
            />
            {words(`role.${role.replace('role:', '') as 'referee'}`)}
          </label>
        ))}
      </div>
      <p className="small muted">{words('sheets.roles-hint')}</p>
      <Meanwhile form={form} name="roles" />
    </fieldset>
  )
}

function Accepted({ form }: { readonly form: FormState<SheetValues> }) {
  const { acceptedStatuses } = form.values
  return (
    <fieldset>
      <legend className="strong">{words('sheets.accepted')}</legend>
      <div className={styles.choices}>
        {statuses.map((status) => (
          <label key={status} className="choice">
            <input
              type="checkbox"
              checked={acceptedStatuses.includes(status)}
              disabled={acceptedStatuses.length === 1 && acceptedStatuses.includes(status)}
              onChange={({ target }) =>
                form.set(
                  'acceptedStatuses',
                  statuses.filter((each) => (each === status ? target.checked : acceptedStatuses.includes(each))),
                )
              }
            />
            {words(`availability.${status}`)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

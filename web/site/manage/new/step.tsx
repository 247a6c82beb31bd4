import { Link, useNavigate } from '@tanstack/react-router'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { tournamentAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { type FormState, useForm } from '../../parts/form/use-form.ts'
import { DateFields } from '../fields/dates.tsx'
import { LookFields } from '../fields/look.tsx'
import { RequirementFields, TeamFields } from '../fields/teams.tsx'
import { TextFields } from '../fields/texts.tsx'
import { changesOf, type SettingsValues, valuesOf } from '../settings-values.ts'
import styles from './new.module.css'
import { type StepName, steps } from './steps.ts'

/** One step of a draft. What is typed is kept for the form of all settings too, and is saved with the step. */

interface Props {
  readonly tournament: TournamentWithParts
  readonly step: Exclude<StepName, 'review'>
}

export function Step({ tournament, step }: Props) {
  const { guid } = tournament
  const form = useForm({ key: `settings-${guid}`, saved: valuesOf(tournament) })
  const navigate = useNavigate()
  const next = steps[steps.indexOf(step) + 1] as StepName
  const before = steps[steps.indexOf(step) - 1]
  const goOn = () => void navigate({ to: '/new', search: { draft: guid, step: next } })
  const save = useWrite('PATCH /tournaments/{tournament}', (known, record) => {
    form.take()
    known.change(tournamentAddress(guid), (known) => ({ ...known, ...record }))
  })
  const submit = async () => {
    const isSaved =
      !form.isChanged || (await save.send({ params: { tournament: guid }, body: changesOf(form.changed, form.values) }))
    if (isSaved) goOn()
  }
  const hasConflict = Object.keys(form.conflicts).length > 0
  return (
    <Form error={save.error} isChanged={false} className={styles.form} onSubmit={submit}>
      <Fields form={form} step={step} tournament={tournament} />
      <div className="btns">
        <button type="submit" className="btn btn-primary" aria-disabled={save.isSending || hasConflict}>
          {words(form.isChanged ? 'new.save' : 'new.next')}
        </button>
        {before !== undefined && (
          <Link to="/new" search={{ draft: guid, step: before }} className="btn btn-quiet">
            {words('new.back')}
          </Link>
        )}
        <span role="status" className="muted">
          {save.isSending && words('form.saving')}
        </span>
      </div>
    </Form>
  )
}

function Fields({ form, step, tournament }: Props & { readonly form: FormState<SettingsValues> }) {
  if (step === 'name')
    return (
      <>
        <TextField form={form} name="name" label={words('settings.name')} maxLength={100} isRequired />
        <TextField
          form={form}
          name="id"
          label={words('settings.id')}
          hint={words('new.id-is', { address: `/t/${form.values.id}` })}
          maxLength={100}
          isRequired
        />
      </>
    )
  if (step === 'dates')
    return (
      <>
        <p className="muted">{words('new.dates-hint')}</p>
        <DateFields form={form} keepsWall />
      </>
    )
  if (step === 'teams')
    return (
      <>
        <TeamFields form={form} />
        <p className="muted">{words('new.requirements-hint')}</p>
        <RequirementFields form={form} />
      </>
    )
  return (
    <>
      <TextFields form={form} />
      <LookFields form={form} tournament={tournament.guid} />
    </>
  )
}

import { type ReactNode, useCallback } from 'react'
import type { TournamentAccess, TournamentWithParts } from '../../../../client/generated.ts'
import type { ApiError } from '../../data/api.ts'
import { tournamentAddress } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { NumberField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { FieldNotes, Form } from '../../parts/form/form.tsx'
import { type FormState, useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { DateFields } from '../fields/dates.tsx'
import { LookFields } from '../fields/look.tsx'
import { QuestionFields } from '../fields/questions.tsx'
import { RequirementFields, TeamFields } from '../fields/teams.tsx'
import { LinkFields, RulesFields, TextFields } from '../fields/texts.tsx'
import { mayChange } from '../rights.ts'
import { SaveBar } from '../save-bar.tsx'
import { changesOf, type SettingName, type SettingsValues, valuesOf } from '../settings-values.ts'
import { Changes, useChanges } from './changes.tsx'
import { ChatFields } from './chat.tsx'
import styles from './settings.module.css'

/** One form over all settings. What others save meanwhile is shown at its field, each of both to be chosen. (W10) */

interface Props {
  readonly tournament: TournamentWithParts
  readonly roles: TournamentAccess['roles']
}

export function SettingsForm({ tournament, roles }: Props) {
  const { guid, id, updatedAt } = tournament
  const form = useForm({ key: `settings-${guid}`, saved: valuesOf(tournament) })
  const save = useWrite('PATCH /tournaments/{tournament}', (known, record) => {
    form.take()
    known.change(tournamentAddress(id), (before) => ({ ...before, ...record }))
    known.renew(`/tournaments/${id}`)
  })
  const changes = useChanges(id, updatedAt)
  const note = useCallback(
    (name: string) => <Changes name={name} of={changes} zone={tournament.timezone} />,
    [changes, tournament.timezone],
  )
  const submit = () =>
    save.send({
      params: { tournament: guid },
      body: { ...changesOf(form.changed, form.values), expectedUpdatedAt: updatedAt },
    })
  const part = (anchor: string, word: WordId, name: SettingName, children: ReactNode) => (
    <Part anchor={anchor} title={words(word)} isOpen={mayChange(name, roles)}>
      {children}
    </Part>
  )
  return (
    <FieldNotes value={note}>
      <Form error={save.error} say={sayOf} isChanged={form.isChanged} onSubmit={submit}>
        {part('about', 'settings.texts', 'name', <TextFields form={form} />)}
        {part('look', 'settings.look', 'imageUrl', <LookFields form={form} tournament={id} />)}
        {part('rules', 'settings.rules-title', 'rules', <RulesFields form={form} />)}
        {part('links', 'settings.links', 'links.website', <LinkFields form={form} />)}
        {part('dates', 'settings.dates', 'startsAt', <DateFields form={form} />)}
        {part('registration', 'settings.teams', 'capacity', <TeamFields form={form} />)}
        {part('requirements', 'settings.requirements', 'requirements.countries', <RequirementFields form={form} />)}
        {part('questions', 'settings.questions', 'additionalFields', <QuestionFields form={form} />)}
        {part('stream', 'settings.streaming', 'streamDelaySeconds', <StreamFields form={form} roles={roles} />)}
        {part('address', 'settings.address', 'id', <AddressFields form={form} />)}
        <SaveBar form={form} isSending={save.isSending} isDone={save.isDone} />
      </Form>
      <Part anchor="chat" title={words('settings.chat')} isOpen={mayChange('chatWebhookUrl', roles)}>
        <ChatFields tournament={tournament} />
      </Part>
    </FieldNotes>
  )
}

function sayOf(error: ApiError): string {
  return error.code === 'tournament.stale' ? words('settings.stale') : error.message
}

interface PartProps {
  readonly anchor: string
  readonly title: string
  /** Whether the reader may change what is in it. */
  readonly isOpen: boolean
  readonly children: ReactNode
}

function Part({ anchor, title, isOpen, children }: PartProps) {
  return (
    <div id={anchor} className={styles.anchor}>
      <Section title={title} beside={!isOpen && <span className="muted">{words('settings.closed')}</span>}>
        <fieldset disabled={!isOpen} className={styles.part}>
          {children}
        </fieldset>
      </Section>
    </div>
  )
}

interface FieldsProps {
  readonly form: FormState<SettingsValues>
}

function StreamFields({ form, roles }: FieldsProps & Pick<Props, 'roles'>) {
  return (
    <>
      <NumberField
        form={form}
        name="streamDelaySeconds"
        label={words('settings.delay')}
        hint={words('settings.delay-hint')}
        min={0}
        max={1_800}
      />
      <fieldset disabled={!mayChange('liveScores', roles)}>
        <SelectField
          form={form}
          name="liveScores"
          label={words('settings.live-scores')}
          options={[
            ['public', words('settings.live-scores-public')],
            ['staff', words('settings.live-scores-staff')],
          ]}
        />
      </fieldset>
    </>
  )
}

function AddressFields({ form }: FieldsProps) {
  return (
    <TextField
      form={form}
      name="id"
      label={words('settings.id')}
      hint={words('settings.id-hint', { address: `/t/${form.values.id}` })}
      maxLength={100}
      isRequired
    />
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Fragment, type ReactNode, useCallback } from 'react'
import type { TournamentAccess, TournamentWithParts } from '../../../../client/generated.ts'
import type { ApiError } from '../../data/api.ts'
import { tournamentAddress, useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { NumberField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { FieldNotes, Form, SavedBy } from '../../parts/form/form.tsx'
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
import { Spoilers } from './spoilers.tsx'

/** One form over all settings. What others save meanwhile is shown at its field, each of both to be chosen. (W10) */

interface Props {
  readonly tournament: TournamentWithParts
  readonly roles: TournamentAccess['roles']
}

export function SettingsForm({ tournament, roles }: Props) {
  const { guid, id, updatedAt } = tournament
  const at = useTournamentId()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const form = useForm({ key: `settings-${guid}`, saved: valuesOf(tournament) })
  const save = useWrite('PATCH /tournaments/{tournament}', (known, record) => {
    form.take()
    known.change(tournamentAddress(at), (before) => ({ ...before, ...record }))
    // The page is at its new address.
    if (record.id !== id)
      void navigate({
        to: '/manage/$tournament/settings',
        params: { tournament: record.id },
        replace: true,
        ignoreBlocker: true,
      })
  })
  const { of: changes, savedBy } = useChanges(id, updatedAt)
  const note = useCallback(
    (name: string) => <Changes name={name} of={changes} zone={tournament.timezone} />,
    [changes, tournament.timezone],
  )
  const submit = async () => {
    const body = { ...changesOf(form.changed, form.values), expectedUpdatedAt: updatedAt }
    // What was refused for an older state is compared with the newer one, also where nothing brings it.
    if (!(await save.send({ params: { tournament: guid }, body })))
      void cache.invalidateQueries({ queryKey: [tournamentAddress(at)] })
  }
  const parts: readonly (readonly [anchor: string, title: WordId, name: SettingName, ReactNode])[] = [
    [
      'about',
      'settings.texts',
      'name',
      <Fragment key="about">
        <TextField form={form} name="name" label={words('settings.name')} maxLength={100} isRequired />
        <TextFields form={form} />
      </Fragment>,
    ],
    ['look', 'settings.look', 'imageUrl', <LookFields key="look" form={form} tournament={id} />],
    ['rules', 'settings.rules-title', 'rules', <RulesFields key="rules" form={form} />],
    ['links', 'settings.links', 'links.website', <LinkFields key="links" form={form} />],
    ['dates', 'settings.dates', 'startsAt', <DateFields key="dates" form={form} />],
    ['registration', 'settings.teams', 'capacity', <TeamFields key="teams" form={form} />],
    ['requirements', 'settings.requirements', 'capacity', <RequirementFields key="requirements" form={form} />],
    ['questions', 'settings.questions', 'additionalFields', <QuestionFields key="questions" form={form} />],
    [
      'stream',
      'settings.streaming',
      'streamDelaySeconds',
      <StreamFields key="stream" form={form} roles={roles} tournament={tournament} />,
    ],
    ['address', 'settings.address', 'id', <AddressFields key="address" form={form} />],
  ]
  return (
    <FieldNotes value={note}>
      <div className={styles.beside}>
        <nav className={styles.index} aria-label={words('settings.sections')}>
          <ul>
            {[...parts, ['chat', 'settings.chat'] as const].map(([anchor, title]) => (
              <li key={anchor}>
                <a href={`#${anchor}`}>{words(title)}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="stack">
          <SavedBy value={savedBy}>
            <Form error={save.error} say={sayOf} isChanged={form.isChanged} onSubmit={submit}>
              {parts.map(([anchor, title, name, fields]) => (
                <Part key={anchor} anchor={anchor} title={words(title)} isOpen={mayChange(name, roles)}>
                  {fields}
                </Part>
              ))}
              <SaveBar form={form} isSending={save.isSending} isDone={save.isDone} />
            </Form>
          </SavedBy>
          <Part anchor="chat" title={words('settings.chat')} isOpen={mayChange('chatWebhookUrl', roles)}>
            <ChatFields tournament={tournament} />
          </Part>
        </div>
      </div>
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

function StreamFields({ form, roles, tournament }: FieldsProps & Props) {
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
      <fieldset disabled={!mayChange('liveScores', roles)} className={styles.part}>
        <SelectField
          form={form}
          name="liveScores"
          label={words('settings.live-scores')}
          options={[
            ['public', words('settings.live-scores-public')],
            ['staff', words('settings.live-scores-staff')],
          ]}
        />
        <Spoilers form={form} tournament={tournament} />
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

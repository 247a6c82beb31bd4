import { useMemo } from 'react'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { tournamentAddress, useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { channelName, type Kind, kindGroups, kinds, mainChannel } from '../kinds.ts'
import { SaveBar } from '../save-bar.tsx'
import styles from './announcements.module.css'
import { KindLine } from './kind-line.tsx'
import { Quiet } from './quiet.tsx'
import { Tests, useTests } from './tests.tsx'

/** The channel of each kind and the roles that it mentions, saved together; each follows what others save. (W10) */

export const off = 'off'

export type Values = { [Name in Kind]: string } & { [Name in `roles.${Kind}`]: string }

function valuesOf({ announcements = {}, announcementRoles = {} }: TournamentWithParts): Values {
  return Object.fromEntries(
    kinds.flatMap((kind) => [
      [kind, announcements[kind] ?? off],
      [`roles.${kind}`, (announcementRoles[kind] ?? []).join(', ')],
    ]),
  ) as Values
}

/** The channels that there are, by their names; also one that is set and is gone. */
function channelsOf({ chatWebhookUrl = null, chatWebhooks = [], announcements = {} }: TournamentWithParts) {
  const there = [...(chatWebhookUrl === null ? [] : [mainChannel]), ...chatWebhooks.map(({ label }) => label)]
  const gone = Object.values(announcements).filter((channel) => !there.includes(channel))
  return { there, all: [...new Set([...there, ...gone])] }
}

export function AnnouncementsForm({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { guid } = tournament
  const id = useTournamentId()
  const saved = useMemo(() => valuesOf(tournament), [tournament])
  const form = useForm<Values>({ key: `announcements-${guid}`, saved })
  const { there, all } = channelsOf(tournament)
  const save = useWrite('PATCH /tournaments/{tournament}', (known, record) => {
    form.take()
    known.change(tournamentAddress(id), (before) => ({ ...before, ...record }))
  })
  const tests = useTests(tournament)
  const at = address('/tournaments/{tournament}/deliveries', { tournament: id }, { limit: 25 })
  const deliveries = useRead(at, { live: true }).data?.deliveries ?? []
  const options: readonly (readonly [string, string])[] = [
    [off, words('announcements.off')],
    ...all.map((channel): readonly [string, string] => [
      channel,
      there.includes(channel) ? channelName(channel) : words('announcements.gone', { channel: channelName(channel) }),
    ]),
  ]
  const submit = () => save.send({ params: { tournament: guid }, body: bodyOf(form.changed) })
  return (
    <>
      <Form error={save.error} isChanged={form.isChanged} onSubmit={submit}>
        {kindGroups.map(([group, own]) => (
          <Section key={group} title={words(`announcements.group-${group}` as WordId)}>
            <ul className={`lines ${styles.kinds}`}>
              {own.map((kind) => (
                <KindLine
                  key={kind}
                  kind={kind}
                  form={form}
                  options={options}
                  preview={tests.previews?.get(kind)}
                  last={deliveries.find(({ announcement }) => announcement === kind)}
                />
              ))}
            </ul>
          </Section>
        ))}
        <SaveBar form={form} isSending={save.isSending} isDone={save.isDone} />
      </Form>
      <Tests tests={tests} tournament={tournament} isChanged={form.isChanged} deliveries={deliveries} />
      <Quiet tournament={tournament} />
    </>
  )
}

/** Kinds that were not changed stay as they are. */
function bodyOf(changed: Partial<Values>) {
  const names = Object.entries(changed) as [string, string][]
  const roles = names.filter(([name]) => name.startsWith('roles.'))
  const channels = names.filter(([name]) => !name.startsWith('roles.'))
  return {
    ...(channels.length > 0 && { announcements: Object.fromEntries(channels) }),
    ...(roles.length > 0 && {
      announcementRoles: Object.fromEntries(
        roles.map(([name, text]) => [name.slice('roles.'.length), text.split(/[^\d]+/).filter((each) => each !== '')]),
      ),
    }),
  }
}

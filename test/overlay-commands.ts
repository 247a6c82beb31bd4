import { packageFormat, packageVersion } from '../src/features/overlays/sceneDocuments/rules/packages.ts'
import type { Caller, Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'
import { sceneDocumentOf, showOverlay } from './overlay-rows.ts'

/** Targets and inputs for the commands of overlays. */
export async function overlayCommands(api: Harness, cup: MadeTournament, organiser: Caller, match: string) {
  const show = async () => (await showOverlay(api, cup, organiser)).guid
  const [shown, replaced, packed, restored, updated, deleted] = [
    ...[await show(), await show(), await show(), await show(), await show(), await show()],
  ]
  const token = async () => {
    const reply = await api.post(`/tournaments/${cup.guid}/overlays/${shown}/tokens`, organiser, { label: 'Studio' })
    return reply.body.guid as string
  }
  const another = sceneDocumentOf({ scene00start: 'start', scene00after: 'summary' })
  const at = (overlay: string | undefined, more: Readonly<Record<string, string>> = {}) => ({
    at: { overlay: overlay ?? '', ...more },
  })
  return {
    'overlays.create': { body: { name: 'Side stage', template: 'duel' } },
    'overlays.update': { ...at(updated), body: { access: 'public' } },
    'overlays.delete': at(deleted),
    'overlays.createToken': { ...at(shown), body: { label: 'OBS' } },
    'overlays.revokeToken': at(shown, { viewToken: await token() }),
    'overlays.control': { ...at(shown), body: { flavour: 'Finals' } },
    'overlays.point': { ...at(shown), body: { matchGuid: match } },
    'scenes.replace': { ...at(replaced), body: another, headers: { 'if-match': '*' } },
    'scenes.takePackage': {
      ...at(packed),
      body: { format: packageFormat, version: packageVersion, document: another, assets: [] },
    },
    'scenes.keepVersion': { ...at(shown), body: { name: 'Before the finals' } },
    'scenes.publish': { ...at(shown), body: { revision: 0, name: 'Finals' } },
    'scenes.restoreVersion': { ...at(restored, { version: '1' }), body: {} },
  }
}

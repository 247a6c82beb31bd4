import { Type } from 'typebox'
import { anyone, everybody } from '../../../../core/actor.ts'
import { Answer, query } from '../../../../core/operation.ts'
import { oneOf } from '../../../../core/schema.ts'
import { sampleOf, samplePresets } from '../../../../engine/scenes/samples/samples.ts'
import { BindingsView, bindingsView, SampleView, sampleView, schemaText } from '../views/reference.ts'

/** Seconds. The schema changes only with a new version of the service. */
const maxAge = 3_600

const schema = query({
  name: 'sceneReference.schema',
  method: 'GET',
  path: '/overlays/scene-schema.json',
  scope: 'public',
  allow: anyone,
  summary: 'The form of scene documents, as JSON Schema.',
  description:
    'Of draft 2020-12. What no schema can say is judged beside it: a document has at most 1 MiB as JSON and 2,000 elements, parents stand in the same scene and are groups or lists, tests of conditions are at most three deep, and bound is only what `GET /overlays/bindings` lists for the type.',
  reply: { 200: Type.String() },
  contentType: 'application/schema+json',
  maxAge,
  audience: everybody,
  run: () => new Answer(200, { body: schemaText, contentType: 'application/schema+json; charset=utf-8' }),
})

const bindings = query({
  name: 'sceneReference.bindings',
  method: 'GET',
  path: '/overlays/bindings',
  scope: 'public',
  allow: anyone,
  summary: 'Every path that elements of scenes may be bound to, and what of them may be bound.',
  description:
    'Paths lead into the data tree of an overlay and what its page adds: live values, control state, variables of the document, time. In lists there are `item` and `index` besides, of the list’s own source.',
  reply: { 200: BindingsView },
  maxAge,
  audience: everybody,
  run: () => bindingsView,
})

const samples = query({
  name: 'sceneReference.sample',
  method: 'GET',
  path: '/overlays/sample-data',
  scope: 'public',
  allow: anyone,
  compressed: true,
  summary: 'What an overlay could be told of a tournament that nobody has played, to look at scenes with.',
  description:
    'Invented people, teams and maps, some with names as long as they get. Instants lie around the present minute, so that what counts down does.',
  query: Type.Object({
    preset: Type.Optional(
      oneOf(samplePresets, {
        description:
          'What is under way: a song of two players (`solo`, which is usual), of two teams, of many; picks and bans; a bracket; a break before the match; or the end of the tournament.',
      }),
    ),
  }),
  reply: { 200: SampleView },
  maxAge: 60,
  // Not cached by audience: the sample changes every minute, and is cheap to make.
  run: ({ query: { preset = 'solo' }, now }) => {
    const minute = Math.floor(now.getTime() / 60_000) * 60_000
    return sampleView(preset, sampleOf(preset, minute))
  },
})

export const referenceOperations = [schema, bindings, samples]

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'

type Facts = Record<string, string | number | undefined>

export interface Traces {
  /** Does the work, as a part of whatever it is done for. */
  span<T>(name: string, facts: Facts, work: () => Promise<T>): Promise<T>
  /** From here on every request is a span. */
  follow(http: FastifyInstance): void
  /** What is known by now leaves. */
  end(): Promise<void>
}

/**
 * What each call, transaction and job took, for whatever collects it by OTLP over HTTP. Its parts are loaded here and
 * nowhere else, so that those who collect nothing pay nothing. No value that anybody typed is told.
 */
export async function startTraces(endpoint: string): Promise<Traces> {
  const [
    { isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace },
    { OTLPTraceExporter },
    resources,
    sdk,
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME || 'maestranza' }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('maestranza')
  const current = new AsyncLocalStorage<Span>()
  const within = (span: Span | undefined) => (span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT)
  const begin = (name: string, kind: number, attributes: Facts, context = within(current.getStore())) =>
    tracer.startSpan(name, { kind, attributes }, context)
  /** The caller's own trace goes on here. Whether it is told is not for a caller to say: nobody hides a call. */
  const callerOf = (traceparent: unknown) => {
    const [, traceId = '', spanId = ''] =
      /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-|$)/.exec(String(traceparent)) ?? []
    const caller = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
    return isSpanContextValid(caller) ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT
  }
  const open = new WeakMap<FastifyRequest, Span>()

  return {
    async span(name, facts, work) {
      // Whom a call is for is learned on the way.
      if (facts['maestranza.company'])
        current.getStore()?.setAttribute('maestranza.company', facts['maestranza.company'])
      const span = begin(name, SpanKind.INTERNAL, facts)
      try {
        return await current.run(span, work)
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name })
        throw error
      } finally {
        span.end()
      }
    },
    follow(http) {
      http.addHook('onRequest', (request, _reply, done) => {
        const route = request.routeOptions.url ?? 'none'
        const facts = {
          'http.request.method': request.method,
          'http.route': route,
          'maestranza.request_id': request.id,
        }
        const caller = callerOf(request.headers.traceparent)
        const span = begin(`${request.method} ${route}`, SpanKind.SERVER, facts, caller)
        open.set(request, span)
        current.run(span, done)
      })
      http.addHook('onResponse', async (request, reply) => {
        const span = open.get(request)
        span?.setAttribute('http.response.status_code', reply.statusCode)
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
        span?.end()
      })
    },
    end: () => provider.shutdown(),
  }
}

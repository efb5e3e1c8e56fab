import { type Readable, type Writable } from 'node:stream';
import { type Client } from '@ats/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { describeError } from '../errors.js';
import { toolsOf } from './tools.js';

/** Maximum length in characters of a tool's answer. Assistants give worse results after longer answers. */
const MAX_CHARACTERS = 200_000;
/** Properties whose values are secrets. The tools hide them even when the credential may read them. */
const SECRETS = ['signing_key', 'next_signing_key', 'standard_webhooks_secret', 'custom_headers', 'token'];

const withoutSecrets = (name: string, value: unknown): unknown => (SECRETS.includes(name) ? null : value);

/**
 * Serves an assistant with the Model Context Protocol. All its tools only read.
 * @returns a promise that resolves at the end of the input
 */
export async function serveAssistant(
  client: Client,
  version: string,
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
): Promise<void> {
  const server = new McpServer({ name: 'ats', version });
  for (const { name, description, input, run } of toolsOf(client))
    server.registerTool(
      name,
      {
        description,
        // Refuses unknown arguments. An assistant that mistypes a condition must not get all items.
        inputSchema: z.strictObject(input),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async (given: Readonly<Record<string, unknown>>) => {
        try {
          const text = JSON.stringify(await run(given), withoutSecrets);
          if (text.length > MAX_CHARACTERS)
            return failure(`The answer has ${text.length} characters. Ask for fewer items, or for fewer fields.`);
          return { content: [{ type: 'text', text }] };
        } catch (error) {
          return failure(describeError(error, true));
        }
      },
    );
  const closed = new Promise<void>((resolve) => {
    stdin.once('end', resolve);
    server.server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport(stdin, stdout));
  await closed;
}

const failure = (text: string) => ({ isError: true, content: [{ type: 'text' as const, text }] });

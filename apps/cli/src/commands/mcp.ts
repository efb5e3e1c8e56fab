import { type Command } from 'commander';
import { connect, type Context } from '../context.js';

/** Adds `ats mcp`, which gives tools to AI assistants. It loads its library only when it runs. */
export const addMcp = (program: Command, context: Context): Command =>
  program
    .command('mcp')
    .description(
      'Serve an assistant with read-only tools by the Model Context Protocol, over standard input and output',
    )
    .action(async () => {
      const client = connect(context);
      const { serveAssistant } = await import('../mcp/server.js');
      await serveAssistant(client, program.version() ?? '', context);
    });

/**
 * The commands that run the verifier of each language in the README. The code block is saved as `file`. A small driver
 * beside it reads one message from each line of standard input and prints `true` or `false`. A line has these fields,
 * separated by tabs: base64 of the body, base64 of the header, base64 of the keys separated by commas, tolerance in
 * seconds, now in Unix seconds.
 */
export interface VerifierDriver {
  /** The heading of the verifier in the README. */
  readonly language: string;
  /** Commands that succeed only when the language is installed. */
  readonly needs: readonly string[];
  readonly file: string;
  readonly driver: Readonly<Record<string, string>>;
  /**
   * Commands that run one after the other in the folder of the saved files. The last one reads the messages, and the
   * others compile the verifier.
   */
  readonly run: readonly string[];
}

export const VERIFIER_DRIVERS: readonly VerifierDriver[] = [
  {
    language: 'Node',
    needs: ['node --version'],
    file: 'verifier.mjs',
    run: ['node main.mjs'],
    driver: {
      'main.mjs': `
import { readFileSync } from 'node:fs';
import { isGenuine } from './verifier.mjs';
const decode = (text) => Buffer.from(text, 'base64');
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  const [body, header, keys, tolerance, now] = line.split('\\t');
  const texts = keys.split(',').map((key) => decode(key).toString());
  console.log(String(isGenuine(decode(body), decode(header).toString(), texts, Number(tolerance), new Date(now * 1000))));
}`,
    },
  },
  {
    language: 'Python',
    needs: ['python3 --version'],
    file: 'verifier.py',
    run: ['python3 main.py'],
    driver: {
      'main.py': `
import sys
from base64 import b64decode
from datetime import datetime, timezone
from verifier import is_genuine

for line in sys.stdin:
    body, header, keys, tolerance, now = line.rstrip("\\n").split("\\t")
    texts = [b64decode(key).decode() for key in keys.split(",")]
    clock = datetime.fromtimestamp(int(now), timezone.utc)
    print(str(is_genuine(b64decode(body), b64decode(header).decode(), texts, int(tolerance), clock)).lower())`,
    },
  },
  {
    language: 'PHP',
    needs: ['php --version'],
    file: 'verifier.php',
    run: ['php main.php'],
    driver: {
      'main.php': `<?php
require 'verifier.php';
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    [$body, $header, $keys, $tolerance, $now] = explode("\\t", $line);
    $texts = array_map('base64_decode', explode(',', $keys));
    echo is_genuine(base64_decode($body), base64_decode($header), $texts, (int) $tolerance, (int) $now) ? 'true' : 'false', "\\n";
}`,
    },
  },
  {
    language: 'Java',
    needs: ['java -version', 'javac -version'],
    file: 'WebhookSignature.java',
    run: ['javac WebhookSignature.java Main.java', 'java -Xshare:auto -XX:TieredStopAtLevel=1 Main'],
    driver: {
      'Main.java': `
import java.nio.charset.StandardCharsets;
import java.time.*;
import java.util.*;
import java.util.stream.*;

class Main {
    static byte[] decode(String text) { return Base64.getDecoder().decode(text); }
    static String text(String encoded) { return new String(decode(encoded), StandardCharsets.UTF_8); }
    public static void main(String[] args) throws Exception {
        Scanner lines = new Scanner(System.in).useDelimiter("\\n");
        while (lines.hasNext()) {
            String[] part = lines.next().split("\\t", -1);
            List<String> keys = Stream.of(part[2].split(",", -1)).map(Main::text).collect(Collectors.toList());
            Duration tolerance = Duration.ofSeconds(Long.parseLong(part[3]));
            Instant now = Instant.ofEpochSecond(Long.parseLong(part[4]));
            System.out.println(WebhookSignature.isGenuine(decode(part[0]), text(part[1]), keys, tolerance, now));
        }
    }
}`,
    },
  },
  {
    language: 'Go',
    needs: ['go version'],
    file: 'webhook/verifier.go',
    run: ['go run .'],
    driver: {
      'go.mod': 'module example\n\ngo 1.19\n',
      'main.go': `package main

import (
	"bufio"
	"encoding/base64"
	"example/webhook"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func decode(text string) []byte { bytes, _ := base64.StdEncoding.DecodeString(text); return bytes }

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		part := strings.Split(lines.Text(), "\\t")
		keys := []string{}
		for _, key := range strings.Split(part[2], ",") {
			keys = append(keys, string(decode(key)))
		}
		tolerance, _ := strconv.Atoi(part[3])
		now, _ := strconv.ParseInt(part[4], 10, 64)
		limit := time.Duration(tolerance) * time.Second
		fmt.Println(webhook.IsGenuine(decode(part[0]), string(decode(part[1])), keys, limit, time.Unix(now, 0)))
	}
}`,
    },
  },
  {
    language: 'C#',
    needs: ['dotnet --version'],
    file: 'WebhookSignature.cs',
    run: ['dotnet run -v quiet --property:NuGetAudit=false'],
    driver: {
      // The project targets the version of the .NET SDK that is installed.
      'example.csproj': `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework>
  </PropertyGroup>
</Project>`,
      'Main.cs': `
using System;
using System.Linq;
using System.Text;

static class Program
{
    static void Main()
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var part = line.Split('\\t');
            var keys = part[2].Split(',').Select(key => Encoding.UTF8.GetString(Convert.FromBase64String(key)));
            var header = Encoding.UTF8.GetString(Convert.FromBase64String(part[1]));
            var tolerance = TimeSpan.FromSeconds(int.Parse(part[3]));
            var now = DateTimeOffset.FromUnixTimeSeconds(long.Parse(part[4]));
            var isGenuine = WebhookSignature.IsGenuine(Convert.FromBase64String(part[0]), header, keys, tolerance, now);
            Console.WriteLine(isGenuine ? "true" : "false");
        }
    }
}`,
    },
  },
  {
    language: 'Ruby',
    needs: ['ruby --version'],
    file: 'verifier.rb',
    run: ['ruby main.rb'],
    driver: {
      'main.rb': `
require_relative "verifier"

STDIN.each_line(chomp: true) do |line|
  body, header, keys, tolerance, now = line.split("\\t")
  texts = keys.split(",", -1).map { |key| key.unpack1("m") }
  puts genuine?(body.unpack1("m"), header.unpack1("m"), texts, tolerance_seconds: tolerance.to_i, now: Time.at(now.to_i))
end`,
    },
  },
];
